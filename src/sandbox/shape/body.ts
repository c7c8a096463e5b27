import { fault, type Members, objectOf, type Parsed, parse, type ValuesOf } from './shape.ts'

/** Reads a JSON body; an empty one counts as an object without members. */
export function parseBody<const M extends Members>(members: M, octets: Uint8Array): Parsed<ValuesOf<M>> {
  if (octets.length === 0) return parse(objectOf(members), {})
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(octets))
  } catch {
    return fault('is not JSON in UTF-8')
  }
  return parse(objectOf(members), value)
}
