import { ipVersionOf } from '../http/host.ts'
import { findDotSegment } from '../http/url.ts'
import { findBaseUrlFault } from '../http/url-fault.ts'

/** Each function checks one text of the config and returns why it is invalid, or `undefined`. */

/** An origin in the config: http or https, a host, optionally a port and a last slash. */
export function judgeOrigin(text: string): string | undefined {
  const reason = findBaseUrlFault(text)
  if (reason !== undefined) return reason
  return new URL(text).pathname === '/' ? undefined : 'it has a path'
}

/** The end of every continuation point's path: one slash at each end, nothing that URL parsing would change. */
export function judgePrefix(text: string): string | undefined {
  if (!text.startsWith('/')) return 'it does not begin with a slash'
  if (!text.endsWith('/') || text.length < 3) return 'it does not name a segment between two slashes'
  if (text.includes('//')) return 'it contains two slashes in a row'
  if (findDotSegment(text) !== undefined) return 'it contains a dot segment'
  if (/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/.test(text))
    return 'it contains a character that is not permitted in a path (RFC 3986, section 3.3)'
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return 'it contains a percent sign without two hexadecimal digits'
  return undefined
}

/** `loopback`, `private`, an IP address, or a CIDR block. */
export function judgeTrustedProxy(text: string): string | undefined {
  if (text === 'loopback' || text === 'private') return undefined
  const slash = text.indexOf('/')
  const address = slash === -1 ? text : text.slice(0, slash)
  const version = ipVersionOf(address)
  if (version === undefined || address.includes('%')) return 'not an address block'
  if (slash === -1) return undefined
  const length = text.slice(slash + 1)
  const longest = version === 4 ? 32 : 128
  if (!/^\d{1,3}$/.test(length) || Number(length) > longest) return `its prefix length is not 0 to ${longest}`
  return undefined
}

/** The host of a listener: a name or an IP address, without port or brackets. */
export function judgeHost(text: string): string | undefined {
  if (ipVersionOf(text) !== undefined) return undefined
  if (/^\[.*\]$/.test(text)) return 'an IPv6 address is written without brackets here'
  if (/:\d+$/.test(text)) return 'the port has a key of its own'
  return /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/.test(text) ? undefined : 'not a host name'
}

/** A reference to a secret: `env:NAME`, `file:/path`, or the text itself. */
export function judgeSecretReference(text: string): string | undefined {
  if (text === '') return 'it is empty'
  const [, inBraces, bare = inBraces] = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/.exec(text) ?? []
  if (bare !== undefined) return `it looks like a variable of a shell, which is written "env:${bare}" here`
  if (text.startsWith('env:') && !/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text))
    return '"env:" is not followed by the name of a variable'
  if (text === 'file:') return 'no path follows "file:"'
  return undefined
}

/** A reference to PEM text; the likely mistake is a path without `file:`. */
export function judgePemReference(text: string): string | undefined {
  const reason = judgeSecretReference(text)
  if (reason !== undefined || /^(?:env|file):/.test(text)) return reason
  return text.trimStart().startsWith('-----BEGIN ')
    ? undefined
    : 'not PEM text (a path is written "file:/path")'
}

/** The address blocks of `listen.trustedProxies`. `private` includes loopback: the network implies the machine itself. */
export function expandTrustedBlocks(trustedProxies: readonly string[]): readonly string[] {
  return [...new Set(trustedProxies.flatMap((entry) => NAMED_BLOCKS.get(entry) ?? [entry]))]
}

/** RFC 1122 section 3.2.1.3 and RFC 4291. */
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** RFC 1918 and RFC 4193. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

const NAMED_BLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', LOOPBACK],
  ['private', [...LOOPBACK, ...PRIVATE]],
])
