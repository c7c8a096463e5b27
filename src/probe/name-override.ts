import { isIP } from 'node:net'
import { toCanonicalHost } from '../http/host.ts'

/** A value of `--resolve`: the address of a host, for one port or for all. */
export interface NameOverride {
  readonly host: string
  readonly port: number | undefined
  /** Without brackets. */
  readonly address: string
}

/** The addresses of `--resolve`, or all that is wrong with them. */
export function parseNameOverrides(
  words: readonly string[],
): { readonly overrides: readonly NameOverride[] } | { readonly faults: readonly string[] } {
  const overrides: NameOverride[] = []
  const faults: string[] = []
  for (const word of words) {
    const parsed = parseNameOverride(word)
    if (typeof parsed === 'string') faults.push(`--resolve ${JSON.stringify(word)}: ${parsed}`)
    else overrides.push(parsed)
  }
  return faults.length > 0 ? { faults } : { overrides }
}

/** `HOST:IP` or `HOST:PORT:IP`; brackets around IPv6 if its first group could be a port. A fault is returned as a clause. */
export function parseNameOverride(text: string): NameOverride | string {
  const parts = /^([^:]+):(?:(\d{1,5}):)?(.+)$/.exec(text)
  if (parts === null) return EXPECTED
  const [, name = '', digits, rest = ''] = parts
  const host = toCanonicalHost(name)
  if (host === undefined) return `${JSON.stringify(name)} is not a host`
  const address = rest.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0) return EXPECTED
  if (digits !== undefined && isIP(`${digits}:${rest}`) !== 0) return 'write the IPv6 address in brackets'
  const port = digits === undefined ? undefined : Number(digits)
  if (port !== undefined && (port === 0 || port > 65_535)) return `${port} is not a port`
  return { host, port, address }
}

const EXPECTED = 'it is neither HOST:IP nor HOST:PORT:IP'
