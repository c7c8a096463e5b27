import type { Config } from '../config/config.ts'
import { trimWhiteSpace } from '../http/fields.ts'
import { connectionOptions } from '../http/hop-by-hop.ts'
import { remember } from '../http/remember.ts'
import type { ServedPoint } from '../points/match.ts'
import type { DownstreamRequest, Peer } from './downstream.ts'
import { CLIENT_ADDRESS, foldName, isStrippedFromRequest, lowerCased } from './field-rules.ts'

/** Our name in Via (RFC 9110 section 7.6.3), by which a loop is detected. */
export const PSEUDONYM = 'continuation-point'

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

/** Path and query for the service: the received octets without the point's cookie path. */
export function buildUpstreamPath(
  request: DownstreamRequest,
  point: ServedPoint,
  rules: ForwardRules,
): string {
  const { pathAndQuery } = request.target
  return rules.keepCookiePath === 'keep' ? pathAndQuery : pathAndQuery.slice(point.pathPrefix.length)
}

/**
 * The field section for the service. The client's fields are stripped first, and the proxy's own are added last, so
 * nothing that was received (a Connection list included) can set or remove a field that the proxy owns.
 */
export function buildUpstreamFields(
  request: DownstreamRequest,
  point: ServedPoint,
  peer: Peer,
  rules: ForwardRules,
): string[] {
  const { fields } = request
  const options = connectionOptions(fields)
  const upstream: string[] = []
  let forwardedFor = ''
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    const value = fields[i + 1] as string
    switch (fateOf(name)) {
      case 'stripped':
        break
      case 'kept':
        if (options?.has(name.toLowerCase()) !== true) upstream.push(name, value)
        break
      case 'cookie': {
        const cookies = rules.cookieNames === undefined ? value : scopedCookies(value, rules.cookieNames)
        if (rules.cookieNames !== undefined && cookies === '') break
        if (options?.has('cookie') !== true) upstream.push(name, cookies)
        break
      }
      case 'framing':
        // Content-Length is kept even if Connection lists it, so a client can't remove the framing. Transfer-Encoding is
        // stripped like every hop-by-hop field: undici sets it again for a body in chunks.
        upstream.push(name, value)
        break
      case 'forwarded-for':
        if (peer.isTrusted && value !== '') forwardedFor += `${value}, `
        break
      case 'client-address':
        // Other fields with the client's address: none is forwarded if the address is to be omitted.
        if (rules.clientAddress === 'append' && options?.has(name.toLowerCase()) !== true)
          upstream.push(name, value)
        break
    }
  }
  upstream.push('Host', rules.serviceAuthority)
  upstream.push('X-Widget-Key', point.widgetKey.reveal())
  upstream.push('X-Continuation-Origin', point.origin)
  if (rules.clientAddress === 'append') upstream.push('X-Forwarded-For', forwardedFor + peer.address)
  upstream.push('Via', `${request.version} ${PSEUDONYM}`)
  return upstream
}

type Fate = 'kept' | 'stripped' | 'cookie' | 'framing' | 'forwarded-for' | 'client-address'

/** How a request field is treated, by its name. */
const fateOf = remember((name): Fate => {
  const lowerName = name.toLowerCase()
  if (lowerName === 'cookie') return 'cookie'
  if (lowerName === 'content-length') return 'framing'
  if (lowerName === 'x-forwarded-for') return 'forwarded-for'
  if (isStrippedFromRequest(lowerName)) return 'stripped'
  return CLIENT_ADDRESS_NAMES.has(foldName(lowerName)) ? 'client-address' : 'kept'
})

/**
 * The cookies of one Cookie line whose names are listed, octets unchanged, or an empty string.
 * **Ours:** a cookie without `=` has an empty name (draft-ietf-httpbis-rfc6265bis section 5.6) and is kept only if that is listed.
 */
function scopedCookies(line: string, names: ReadonlySet<string>): string {
  const kept = line
    .split(';')
    .map(trimWhiteSpace)
    .filter((pair) => pair !== '' && names.has(trimWhiteSpace(pair.slice(0, Math.max(0, pair.indexOf('='))))))
  return kept.join('; ')
}

const CLIENT_ADDRESS_NAMES = lowerCased(CLIENT_ADDRESS)
