import { lookup } from 'node:dns/promises'
import { isIpHost, isLoopbackHost } from '../http/host.ts'
import type { NameOverride } from './name-override.ts'
import type { Endpoint, Resolution } from './probe.ts'

/** Finds the addresses of an endpoint: from an override, from the host itself if it is an address, else by DNS. */
export async function resolve(
  { host, port }: Endpoint,
  overrides: readonly NameOverride[],
  signal: AbortSignal,
): Promise<Resolution> {
  const named = overrides.filter((each) => each.host === host && (each.port ?? port) === port)
  if (named.length > 0) return resolved([...new Set(named.map(({ address }) => address))], 'override')
  if (isIpHost(host)) return resolved([host.replace(/^\[|\]$/g, '')], 'literal')
  // RFC 6761 section 6.3: these names mean this machine, and resolvers should not be asked for them.
  if (isLoopbackHost(host)) return resolved(['127.0.0.1', '::1'], 'loopback')
  // RFC 6761 section 6.4: these names never exist.
  if (/(?:^|\.)invalid\.?$/.test(host)) return { kind: 'unresolved', code: 'ENOTFOUND' }
  try {
    const found = await Promise.race([lookup(host, { all: true, verbatim: true }), abortion(signal)])
    return resolved([...new Set(found.map(({ address }) => address))], 'dns')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'timeout'
    return { kind: NO_SUCH_NAME.has(code) ? 'unresolved' : 'unknown', code }
  }
}

function resolved(
  addresses: readonly string[],
  by: Extract<Resolution, { kind: 'resolved' }>['by'],
): Resolution {
  return { kind: 'resolved', addresses, by }
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new Error('The deadline is over'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}

const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA'])
