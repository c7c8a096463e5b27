import { type ApiError, type ApiErrorKind, listFieldNames } from '../api/errors.ts'
import { UNVERIFIED } from '../http/unverified.ts'
import { count } from '../text/prose.ts'

/** Why a call failed and what to do, in two sentences that name settings of the config, not of the client. */
export function toServiceFault(error: ApiError): string {
  const [fault, step] = FAULTS[error.kind]
  const clause = error.detail === undefined ? '' : ` (${error.detail})`
  const next = typeof step === 'string' ? step : step(error)
  return `${fault}${clause}. ${error.method !== 'GET' && UNCERTAIN_KINDS.includes(error.kind) ? UNCERTAIN : next}`
}

/** After these a change may have been made. */
const UNCERTAIN_KINDS: readonly ApiErrorKind[] = ['connection', 'timeout', 'failed', 'malformed', 'too-large']

const UNCERTAIN = 'The change may or may not have been made: settings diff shows what differs now'

const ELSEWHERE = 'If its REST API is elsewhere, set "service.api"; the points work without it'

/** By kind of failure: the fault, and the next step. */
const FAULTS: Readonly<Record<ApiErrorKind, readonly [string, string | ((error: ApiError) => string)]>> = {
  connection: ['no complete answer came from the service', toReach],
  timeout: ['the service did not answer in time', 'Try again'],
  aborted: ['the call was aborted', 'Try again'],
  pacing: ['too many calls left this process within a minute', toRetry],
  unverified: [UNVERIFIED, 'Unset it, and name a private authority in "service.ca"'],
  'no-key': ['this call needs a key', 'Name "apiKey" or "widgetKey" in the config'],
  credential: ['the service refused the key', 'Set "apiKey" in the config to the REST key of this account'],
  'not-found': ['the service found nothing', ELSEWHERE],
  invalid: ['the service refused the request', toRejected],
  'rate-limit': ['the service accepts no more calls from this address for now', toRetry],
  refused: ['the service refused the request', 'Check "service.api" and the key'],
  failed: ['the service failed', toRetry],
  redirect: ['the service redirects, and redirects are not followed', 'Check "service.api"'],
  malformed: ['the answer is not what the service documents', ELSEWHERE],
  'too-large': ['the answer is too large', 'Check "service.api"'],
}

function toReach({ detail = '' }: ApiError): string {
  const isUntrusted = /SELF_SIGNED|UNABLE_TO/.test(detail)
  return isUntrusted ? 'Put its authority (PEM) into "service.ca"' : 'Check "service.api" and the network'
}

function toRetry({ kind, retryAfterMs }: ApiError): string {
  if (retryAfterMs === undefined) return kind === 'rate-limit' ? 'Try again in a minute' : 'Try again'
  return `Try again in ${count(Math.ceil(retryAfterMs / 1000), 'second')}`
}

function toRejected({ fieldErrors }: ApiError): string {
  const names = listFieldNames(fieldErrors)
  if (names.length === 0) return 'It does not say which field: check "service.api" and the key'
  return `It rejected ${names.join(', ')}`
}
