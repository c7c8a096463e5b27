import type { Admission } from '../forward/admission.ts'
import type { Peer } from '../forward/downstream.ts'
import { errorCode, upstreamFailure } from '../forward/error-code.ts'
import type { FailureKind } from '../forward/failure.ts'
import { buildUpstreamFields, buildUpstreamPath } from '../forward/request.ts'
import type { EdgeSettings } from './edge-settings.ts'
import { prepareForFetch, toHeaders } from './fetch-fields.ts'
import type { Voucher } from './voucher.ts'

/** The outcome of forwarding a request; `client-abort` needs no response. */
export type Received =
  | { readonly response: Response }
  | { readonly failure: FailureKind; readonly code: string }
  | 'client-abort'

/**
 * Sends an admitted request to the service, in one `fetch` that follows no redirect. Only the wait for the head of the
 * response has a deadline; the round trip is aborted at any time if the client disconnects.
 *
 * @param clientAddress the client's address, if the runtime knows it; `undefined` adds no X-Forwarded-For
 */
export async function sendOn(
  request: Request,
  { request: admitted, point }: Extract<Admission, { kind: 'forward' }>,
  peer: Peer,
  clientAddress: string | undefined,
  { rules, serviceOrigin, headersTimeoutMs }: EdgeSettings,
  voucher: Voucher | undefined,
): Promise<Received> {
  const applied = clientAddress === undefined ? { ...rules, clientAddress: 'omit' as const } : rules
  const fields = buildUpstreamFields(admitted, point, peer, applied)
  voucher?.compare(fields)
  const { body } = request
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), headersTimeoutMs)
  try {
    const response = await fetch(`${serviceOrigin}${buildUpstreamPath(admitted, point, rules)}`, {
      ...UNALTERED,
      method: request.method,
      headers: toHeaders(prepareForFetch(fields)),
      signal: AbortSignal.any([request.signal, giveUp.signal]),
      // The Fetch standard requires `duplex` for a body that is a stream.
      ...(admitted.body === undefined
        ? {}
        : { body: body && (voucher?.watch(body) ?? body), duplex: 'half' }),
    })
    return { response }
  } catch (error) {
    if (giveUp.signal.aborted) return { failure: 'upstream-head-timeout', code: HEAD_TIMEOUT }
    if (request.signal.aborted) return 'client-abort'
    return classifyFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Runtimes wrap the cause of a failed `fetch`, or hide it: then all we know is that the service is unreachable. */
function classifyFailure(error: unknown): { readonly failure: FailureKind; readonly code: string } {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const kind = upstreamFailure(cause)
  return { failure: kind === 'internal' ? 'upstream-unreachable' : kind, code: errorCode(cause) }
}

/** No redirect is followed, and no platform's cache can give one visitor's response to another. */
const UNALTERED = { redirect: 'manual', cache: 'no-store' } as const

const HEAD_TIMEOUT = 'HEAD_TIMEOUT'
