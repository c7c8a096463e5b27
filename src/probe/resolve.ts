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
  if (named.length > 0) return toResolution(named.map(({ address }) => address))
  if (isIpHost(host)) return toResolution([host.replace(/^\[|\]$/g, '')])
  // RFC 6761 section 6.3: these names mean this machine, and resolvers should not be asked for them.
  if (isLoopbackHost(host)) return { kind: 'resolved', addresses: ['127.0.0.1', '::1'], isLoopback: true }
  // RFC 6761 section 6.4: these names never exist.
  if (/(?:^|\.)invalid\.?$/.test(host)) return { kind: 'unresolved', code: 'ENOTFOUND' }
  try {
    const found = await Promise.race([lookup(host, { all: true, verbatim: true }), abortion(signal)])
    return toResolution(found.map(({ address }) => address))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'timeout'
    return { kind: NO_SUCH_NAME.has(code) ? 'unresolved' : 'unknown', code }
  }
}

function toResolution(addresses: readonly string[]): Resolution {
  return { kind: 'resolved', addresses: [...new Set(addresses)] }
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new Error('The deadline is over'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}

const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA'])
