import { formatTimestamp } from '../schema/timestamp.ts'
import { type SandboxState, secretsOf } from '../seed/sandbox-state.ts'
import type { LoggedRequest } from '../state/request-log.ts'
import type { Arrival } from '../wire/arrival.ts'

/** A request for the log: without keys, tokens and passwords, and with its body only if that is JSON. */
export function redactRequest(
  { method, target, path }: Arrival,
  body: Buffer,
  status: number,
  state: SandboxState,
): Omit<LoggedRequest, 'number'> {
  const mask = maskOf(secretsOf(state))
  const json = parseJson(body)
  return {
    at: formatTimestamp(state.clock.nowMs()),
    method,
    path: mask.path(path),
    query: mask.query(new URLSearchParams(target.slice(path.length))),
    octets: body.length,
    ...(json === undefined ? {} : { body: mask.json(json) }),
    status,
  }
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0 || body.length > MOST_SHOWN_OCTETS) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Masks secrets in what is shown of a request: every value under the name of a secret, right or wrong, and every known key
 * anywhere.
 *
 * @param secrets the keys and tokens that the stand-in knows
 */
function maskOf(secrets: readonly string[]) {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const text = (plain: string) =>
    longestFirst.reduce((masked, secret) => masked.replaceAll(secret, MASKED), plain)
  const json = (value: unknown, depth = DEEPEST): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth === 0) return '…'
    if (Array.isArray(value)) return value.map((item) => json(item, depth - 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        text(name),
        isSecretName(name) ? MASKED : json(member, depth - 1),
      ]),
    )
  }
  return {
    json,
    path: (path: string) => text(maskClientPath(path)),
    query: (query: URLSearchParams) =>
      [...query].map(([name, value]) => [text(name), isSecretName(name) ? MASKED : text(value)] as const),
  }
}

/** The path of a client contains its key, and the reseller's unless it says `all`. */
function maskClientPath(path: string): string {
  const [, root, rest = ''] = /^(\/v2\/clients\/)(.*)$/.exec(path) ?? []
  if (root === undefined) return path
  return root + rest.replaceAll(/[^/]+/g, (segment) => (segment === 'all' ? segment : MASKED))
}

function isSecretName(name: string): boolean {
  return /key|password|token|secret/i.test(name)
}

const MOST_SHOWN_OCTETS = 64 * 1024
const MASKED = '[masked]'
const DEEPEST = 16
