import { type Fields, valuesOf } from '../http/fields.ts'

/** The field lines that a Headers object still knows: names in lower case, lines of one name joined, but for Set-Cookie. */
export function toFields(headers: Headers): string[] {
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
 * The field lines that go into `fetch`: Host is the URL's there, and a content coding would be taken off the answer
 * without a word, so none is asked for.
 */
export function toFetchFields(fields: Fields): string[] {
  return [...withoutNames(fields, ['host', 'accept-encoding']), 'Accept-Encoding', 'identity']
}

/** The field lines of an answer whose body `fetch` has decoded: what described the coded octets goes. */
export function toDecodedFields(fields: Fields): string[] {
  const codings = valuesOf(fields, 'content-encoding').join().toLowerCase()
  return /\b(?:gzip|x-gzip|deflate|br|zstd)\b/.test(codings)
    ? withoutNames(fields, ['content-encoding', 'content-length'])
    : [...fields]
}

function withoutNames(fields: Fields, lowerNames: readonly string[]): string[] {
  return fields.filter((_text, at) => !lowerNames.includes((fields[at - (at % 2)] ?? '').toLowerCase()))
}
