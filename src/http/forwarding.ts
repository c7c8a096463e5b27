import { parseAuthority, serialiseAuthority } from './authority.ts'
import { type Fields, hasField, listMembers, splitUnquoted, valuesOf } from './fields.ts'

/**
 * Reads X-Forwarded-Host, X-Forwarded-Proto and Forwarded (RFC 7239) of a trusted proxy: of several values the rightmost,
 * which the proxy next to us added. Forwarded provides a scheme; its host is only compared.
 *
 * @returns `undefined` when the fields contradict each other or name a scheme that is neither http nor https
 */
export function parseForwarding(
  fields: Fields,
): { readonly host: string | undefined; readonly scheme: 'http' | 'https' | undefined } | undefined {
  const host = rightmost(fields, 'x-forwarded-host')
  const proto = rightmost(fields, 'x-forwarded-proto')?.toLowerCase()
  const forwarded = hasField(fields, 'forwarded')
    ? parseForwardedElement(rightmost(fields, 'forwarded') ?? '')
    : {}
  if (forwarded === undefined) return undefined
  if (proto !== undefined && forwarded.proto !== undefined && proto !== forwarded.proto) return undefined
  const scheme = proto ?? forwarded.proto
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return undefined
  if (host !== undefined && forwarded.host !== undefined && !isSameAuthority(host, forwarded.host, scheme))
    return undefined
  return { host, scheme }
}

/** Whether two authorities are equal apart from case and the default port of the scheme. */
function isSameAuthority(one: string, other: string, scheme: 'http' | 'https' | undefined): boolean {
  const [first, second] = [parseAuthority(one), parseAuthority(other)]
  if (first === undefined || second === undefined) return false
  if (scheme === undefined) return first.host === second.host && first.port === second.port
  return serialiseAuthority(first, scheme) === serialiseAuthority(second, scheme)
}

function rightmost(fields: Fields, lowerName: string): string | undefined {
  return listMembers(valuesOf(fields, lowerName)).at(-1)
}

/** One forwarded-element, RFC 7239 section 4: `name=value` pairs, values tokens or quoted strings; lower-cased. */
function parseForwardedElement(element: string): { host?: string; proto?: string } | undefined {
  const found: { host?: string; proto?: string } = {}
  for (const pair of splitUnquoted(element, ';')) {
    if (pair === '') continue
    const parts = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:\\.|[^"\\])*)"|([^\s"]*))$/s.exec(pair)
    if (parts === null) return undefined
    const name = parts[1]?.toLowerCase()
    const value = (parts[2]?.replace(/\\(.)/gs, '$1') ?? parts[3] ?? '').toLowerCase()
    if (name === 'host') found.host = value
    if (name === 'proto') found.proto = value
  }
  return found
}
