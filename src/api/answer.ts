import type { ApiErrorKind, Failure, FieldErrors } from './errors.ts'
import { parseRetryAfter } from './retry.ts'
import { anything, isObject, read, type Schema } from './schema.ts'
import type { RawAnswer } from './transport.ts'

/** Reads the body of a success: its value, or why it is not what the service documents, in our own words. */
export type ReadBody<T> = (text: string) => { readonly value: T } | { readonly fault: string }

/** The body of a success is ignored. */
export const nothing: 'nothing' = 'nothing'

/** What a call answers with. */
export type Expected<T> = ReadBody<T> | typeof nothing

/** Expects a JSON body of this schema. */
export function json<T>(schema: Schema<T>): ReadBody<T> {
  return (text) => {
    const fault = findExcess(text)
    if (fault !== undefined) return { fault }
    try {
      return read(schema, JSON.parse(text))
    } catch {
      return { fault: 'the body is not JSON' }
    }
  }
}

/**
 * Why a body is not even parsed: what is small as text may take a hundred times that in memory, and many levels could exhaust
 * the stack of whoever compares or prints it.
 */
function findExcess(text: string): string | undefined {
  let [levels, elements] = [0, 0]
  // A string, or one of the characters that open, close and separate.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},]/gs)) {
    if (token === '[' || token === '{') levels += 1
    if (token === ']' || token === '}') levels -= 1
    if (token === '[' || token === '{' || token === ',') elements += 1
    if (levels > MOST_LEVELS) return `the body is nested more than ${MOST_LEVELS} levels deep`
    if (elements > MOST_ELEMENTS) return `the body has more than ${MOST_ELEMENTS} elements`
  }
  return undefined
}

const MOST_LEVELS = 100

/** Some 5,000 sessions with all their options. */
const MOST_ELEMENTS = 500_000

/** Expects one of these words as text/plain (spec 4.4). */
export function word<const Word extends string>(words: readonly Word[]): ReadBody<Word> {
  return (text) => {
    const value = words.find((each) => each === text.trim())
    return value === undefined ? { fault: 'the body is none of the documented words' } : { value }
  }
}

/** Judges what came back: the value of a success, or the failure. */
export function judge<T>(
  answer: RawAnswer,
  expected: Expected<T>,
  nowMs: number,
): { readonly value: T } | Failure {
  const { status, body, headers } = answer
  const known = { status, requestId: readRequestId(headers) }
  // Status 0 is how browsers' fetch shows a redirect that it did not follow.
  if (status === 0 || (status >= 300 && status < 400)) return { kind: 'redirect', ...known }
  if (status < 200 || status >= 400) {
    const fieldErrors = 'text' in body ? parseFieldErrors(body.text) : undefined
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'), nowMs)
    const detail = `status ${status}`
    const kind = KIND_BY_STATUS[status] ?? (status >= 500 ? 'failed' : 'refused')
    return { kind, ...known, fieldErrors, retryAfterMs, detail }
  }
  if (expected === nothing) return { value: undefined as T }
  if ('kind' in body) return { ...body, ...known }
  const read = expected(body.text)
  return 'fault' in read ? { kind: 'malformed', ...known, detail: read.fault } : read
}

/** Spec 7, rule 1: `{"errors": {field: [message, …]}}`. Any other body is dropped. */
function parseFieldErrors(text: string): FieldErrors | undefined {
  const body = json(anything)(text)
  const errors = 'value' in body && isObject(body.value) ? body.value.errors : undefined
  if (!isObject(errors)) return undefined
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, messages]) =>
      Array.isArray(messages) ? [[field, messages.filter((each) => typeof each === 'string')]] : [],
    ),
  )
}

function readRequestId(headers: RawAnswer['headers']): string | undefined {
  const id = headers.get('x-request-id') ?? headers.get('request-id')
  return id !== null && /^[\w.:/+=-]{1,128}$/.test(id) ? id : undefined
}

const KIND_BY_STATUS: Readonly<Record<number, ApiErrorKind>> = {
  400: 'invalid',
  401: 'credential',
  403: 'credential',
  404: 'not-found',
  422: 'invalid',
  429: 'rate-limit',
}
