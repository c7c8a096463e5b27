import type { Secret } from '../config/secret.ts'
import type { Failure } from './errors.ts'

/** Takes the key out of what the service wrote: a service that refuses a key may well quote it. */
export function withoutKey(failure: Failure, key: Secret | undefined): Failure {
  if (key === undefined) return failure
  const { fieldErrors, requestId } = failure
  const redact = toRedact(key.reveal())
  return {
    ...failure,
    requestId: requestId === undefined || redact(requestId) === requestId ? requestId : undefined,
    fieldErrors:
      fieldErrors &&
      Object.fromEntries(
        Object.entries(fieldErrors).map(([field, messages]) => [redact(field), messages.map(redact)]),
      ),
  }
}

function toRedact(key: string): (text: string) => string {
  const spellings = [key, encodeURIComponent(key), new URLSearchParams([['', key]]).toString().slice(1)]
  return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[secret]'), text)
}
