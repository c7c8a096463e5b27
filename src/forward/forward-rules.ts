import type { Config } from '../config/config.ts'

/** What a forwarded request is made of beside the request itself; fixed for the life of a config. */
export interface ForwardRules {
  /** `host[:port]` of the service, the Host that it expects. */
  readonly serviceAuthority: string
  readonly keepCookiePath: 'keep' | 'strip'
  readonly clientAddress: 'append' | 'omit'
  /** Names of the cookies that may leave the site; `undefined` lets all of them. */
  readonly cookieNames: ReadonlySet<string> | undefined
}

/** Compiles the rules of a config; `serviceUrl` is its `service.url`. */
export function toForwardRules({ service, forward, cookies }: Config, serviceUrl: string): ForwardRules {
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
