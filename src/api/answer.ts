import type { ApiErrorKind, Failure, FieldErrors } from './errors.ts'
import { isObject } from './request.ts'
import { parseRetryAfter } from './retry.ts'
import type { RawAnswer } from './transport.ts'

/** Reads the body of a success: its value, or what the call can't do without, in our own words. */
export type ReadBody<T> = (text: string) => { readonly value: T } | { readonly fault: string }

/** The body of a success is ignored. */
export const nothing: 'nothing' = 'nothing'

/** What a call answers with. */
export type Expected<T> = ReadBody<T> | typeof nothing

/** The documented type of each id, by name: the service sends some as an integer in one call and as a string in another. */
export type Ids = Readonly<Record<string, 'integer' | 'string'>>

/**
 * Expects a JSON object. Its ids get their documented type where they can be read; every other member stays as it came,
 * also if it is missing, undocumented or of another type.
 *
 * @param needed the members without which the call is of no use
 */
export function record<T extends object>(ids: Ids = {}, ...needed: (keyof T & string)[]): ReadBody<T> {
  return json((body) => {
    if (!isObject(body)) return { fault: 'the body is not an object' }
    const value = withIds(body, ids)
    const missing = needed.find((name) => value[name] === undefined || value[name] === null)
    return missing === undefined ? { value: value as T } : { fault: `the body has no ${missing}` }
  })
}

/** Expects a JSON array. Its entries are read like the members of an object, so that an odd one spoils no other. */
export function listOf<T>(ids: Ids): ReadBody<readonly T[]> {
  return json((body) =>
    Array.isArray(body) ? { value: readEntries<T>(body, ids) } : { fault: 'the body is not an array' },
  )
}

/** Expects a page of a list (spec 2.8). */
export function pageOf<Page extends { readonly results: readonly unknown[] }>(ids: Ids): ReadBody<Page> {
  return json((body) =>
    isObject(body) && Array.isArray(body.results)
      ? { value: { ...body, results: readEntries(body.results, ids) } as unknown as Page }
      : { fault: 'the body has no array of results' },
  )
}

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

function json<T>(read: (body: unknown) => ReturnType<ReadBody<T>>): ReadBody<T> {
  return (text) => {
    try {
      const fault = findExcess(text)
      return fault === undefined ? read(JSON.parse(text)) : { fault }
    } catch {
      return { fault: 'the body is not JSON' }
    }
  }
}

function readEntries<T>(entries: readonly unknown[], ids: Ids): readonly T[] {
  return entries.map((entry) => (isObject(entry) ? withIds(entry, ids) : entry) as T)
}

function withIds(body: Readonly<Record<string, unknown>>, ids: Ids): Readonly<Record<string, unknown>> {
  const typed = Object.entries(ids).flatMap(([name, type]) => {
    const id = body[name]
    if (type === 'string') return Number.isInteger(id) ? [[name, String(id)]] : []
    return typeof id === 'string' && /^\d{1,15}$/.test(id) ? [[name, Number(id)]] : []
  })
  return { ...body, ...Object.fromEntries(typed) }
}

/**
 * Why a body is not even parsed: what is small as text may take a hundred times that in memory, and many levels could exhaust
 * the stack of whoever compares or prints it.
 */
export function findExcess(text: string): string | undefined {
  let [levels, elements] = [0, 0]
  // A string, or one of the characters that open, close and separate.
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs)) {
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
const MOST_ELEMENTS = 100_000

/** Spec 7, rule 1: `{"errors": {field: [message, …]}}`. Any other body is dropped. */
function parseFieldErrors(text: string): FieldErrors | undefined {
  const body = record<{ readonly errors?: unknown }>()(text)
  const errors = 'value' in body ? body.value.errors : undefined
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
