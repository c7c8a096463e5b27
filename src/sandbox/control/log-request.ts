import type { Arrival } from '../arrival.ts'
import { type SandboxState, secretsOf } from '../sandbox-state.ts'
import { toTimestamp } from '../state/timestamp.ts'
import { maskOf } from './mask.ts'
import type { LoggedRequest } from './request-log.ts'

/** What the log keeps of a request: no key, token or password, and of a body only JSON. */
export function toLoggedRequest(
  { method, target, path }: Arrival,
  body: Buffer,
  status: number,
  state: SandboxState,
): Omit<LoggedRequest, 'number'> {
  const mask = maskOf(secretsOf(state))
  const json = parseJson(body)
  return {
    at: toTimestamp(state.clock.nowMs()),
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

const MOST_SHOWN_OCTETS = 64 * 1024
