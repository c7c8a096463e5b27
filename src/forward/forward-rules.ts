import type { Config } from '../config/config.ts'

/** Settings that determine a forwarded request; fixed until the config is reloaded. */
export interface ForwardRules {
  /** `host[:port]` of the service, sent as Host. */
  readonly serviceAuthority: string
  readonly keepCookiePath: 'keep' | 'strip'
  readonly clientAddress: 'append' | 'omit'
  /** Names of the cookies that are forwarded; `undefined` forwards all of them. */
  readonly cookieNames: ReadonlySet<string> | undefined
}

/** Compiles the rules of a config; `serviceUrl` is its `service.url`. */
export function compileForwardRules({ service, forward, cookies }: Config, serviceUrl: string): ForwardRules {
  return {
    serviceAuthority: new URL(serviceUrl).host,
    keepCookiePath: service.keepCookiePath ? 'keep' : 'strip',
    clientAddress: forward.clientAddress,
    cookieNames:
      forward.cookies === 'all'
        ? undefined
        : new Set([...cookies.map(({ name }) => name), ...forward.alsoCookies]),
  }
}
