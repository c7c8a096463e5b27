import { type Fields, valuesOf } from '../../http/fields.ts'
import type { Arrival } from './arrival.ts'

/**
 * The fields that let a page read an answer across origins (Fetch standard, section "CORS protocol"). Vary is on
 * every answer, since each may differ for another Origin; the others only for an origin that may read it.
 */
export function corsFields(
  fields: Fields,
  mayRead: (origin: string) => boolean,
): Readonly<Record<string, string>> {
  const origin = readingOrigin(fields, mayRead)
  if (origin === undefined) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
}

/** The further fields that answer a preflight; `undefined` if this is none, or from an origin that may not read. */
export function preflightFields(
  arrival: Arrival,
  mayRead: (origin: string) => boolean,
): Readonly<Record<string, string>> | undefined {
  if (arrival.method !== 'OPTIONS' || readingOrigin(arrival.fields, mayRead) === undefined) return undefined
  if (valuesOf(arrival.fields, 'access-control-request-method').length === 0) return undefined
  const asked = valuesOf(arrival.fields, 'access-control-request-headers').join(', ')
  return {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ...(asked === '' ? {} : { 'Access-Control-Allow-Headers': asked }),
  }
}

function readingOrigin(fields: Fields, mayRead: (origin: string) => boolean): string | undefined {
  const [origin, ...more] = valuesOf(fields, 'origin')
  if (origin === undefined || more.length > 0) return undefined
  return mayRead(origin) ? origin : undefined
}
