import type { Secret } from '../config/secret.ts'
import type { Failure } from './errors.ts'

/** Removes the key from what the service wrote: a service that refuses a key may quote it. */
export function withoutKey(failure: Failure, key: Secret | undefined): Failure {
  if (key === undefined) return failure
  const { fieldErrors, requestId } = failure
  const redact = createRedactor(key.reveal())
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

/** In one pass, so that the replacement itself stays; longest first, since one spelling may be the start of another. */
function createRedactor(key: string): (text: string) => string {
  const spellings = new Set([
    key,
    encodeURIComponent(key),
    new URLSearchParams([['', key]]).toString().slice(1),
  ])
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(escapePattern).join('|'), 'g')
  return (text) => text.replace(pattern, '[secret]')
}

/** The text with everything escaped that is special in a pattern. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
