import { valuesOf } from '../../http/fields.ts'
import type { Arrival } from './arrival.ts'

/**
 * The fields that let a page read an answer across origins (Fetch standard, section "CORS protocol"), and whether the request
 * is a preflight, which they answer. Vary is on every answer, since each may differ for another Origin; the others only for an
 * origin that may read it.
 */
export function judgeCors({ method, fields }: Arrival, mayRead: (origin: string) => boolean) {
  const [origin, ...more] = valuesOf(fields, 'origin')
  if (origin === undefined || more.length > 0 || !mayRead(origin)) {
    return { isPreflight: false, headers: { Vary: 'Origin' } }
  }
  const isPreflight = method === 'OPTIONS' && valuesOf(fields, 'access-control-request-method').length > 0
  const asked = valuesOf(fields, 'access-control-request-headers').join(', ')
  const headers = {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    ...(isPreflight && { 'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }),
    ...(isPreflight && asked !== '' && { 'Access-Control-Allow-Headers': asked }),
  }
  return { isPreflight, headers }
}
