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

/** In one pass, so that nothing is taken out of the mark itself; longest first, since one spelling may begin another. */
function toRedact(key: string): (text: string) => string {
  const spellings = new Set([
    key,
    encodeURIComponent(key),
    new URLSearchParams([['', key]]).toString().slice(1),
  ])
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(toLiteral).join('|'), 'g')
  return (text) => text.replace(pattern, '[secret]')
}

/** The source of a pattern that matches this text alone. */
function toLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
