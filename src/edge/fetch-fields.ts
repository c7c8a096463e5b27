import { type Fields, valuesOf } from '../http/fields.ts'

/** The field lines of a Headers object: names in lower case, lines of the same name joined, except for Set-Cookie. */
export function readFields(headers: Headers): string[] {
  const fields: string[] = []
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') fields.push(name, value)
  })
  return [...fields, ...headers.getSetCookie().flatMap((line) => ['set-cookie', line])]
}

/** Field lines as Headers, each appended. */
export function toHeaders(fields: Fields): Headers {
  const headers = new Headers()
  for (let i = 0; i + 1 < fields.length; i += 2) headers.append(fields[i] ?? '', fields[i + 1] ?? '')
  return headers
}

/**
 * The field lines for `fetch`, which takes Host from the URL. It would silently decode the response, so no content coding
 * is accepted. Nothing tells whether the service reads a body, and what it leaves could become the next visitor's request:
 * so that connection is not used again, in a runtime that would do that.
 */
export function prepareForFetch(fields: Fields, body: 'none' | 'sent'): string[] {
  const others = withoutNames(fields, ['host', 'accept-encoding'])
  return [...others, 'Accept-Encoding', 'identity', ...(body === 'sent' ? ['Connection', 'close'] : [])]
}

/** The field lines of a response whose body `fetch` has decoded: those that describe the encoded body are removed. */
export function withoutCoding(fields: Fields): string[] {
  const codings = valuesOf(fields, 'content-encoding').join().toLowerCase()
  return /\b(?:gzip|x-gzip|deflate|br|zstd)\b/.test(codings)
    ? withoutNames(fields, ['content-encoding', 'content-length'])
    : [...fields]
}

function withoutNames(fields: Fields, lowerNames: readonly string[]): string[] {
  return fields.filter((_text, at) => !lowerNames.includes((fields[at - (at % 2)] ?? '').toLowerCase()))
}
