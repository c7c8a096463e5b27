import { type Fields, valuesOf } from '../../http/fields.ts'
import { type Account, isPageOrigin } from '../account.ts'
import type { Arrival } from '../arrival.ts'

/**
 * The fields that let a page read an answer across origins (Fetch standard, section "CORS protocol"). Vary stands on
 * every answer, since any of them would differ for another Origin; the rest only for a page origin of the account.
 */
export function corsFields(fields: Fields, account: Account): Readonly<Record<string, string>> {
  const origin = pageOrigin(fields, account)
  if (origin === undefined) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
}

/** The further fields of a preflight's answer; `undefined` when this is no preflight from a page of the account. */
export function preflightFields(
  arrival: Arrival,
  account: Account,
): Readonly<Record<string, string>> | undefined {
  if (arrival.method !== 'OPTIONS' || pageOrigin(arrival.fields, account) === undefined) return undefined
  if (valuesOf(arrival.fields, 'access-control-request-method').length === 0) return undefined
  const asked = valuesOf(arrival.fields, 'access-control-request-headers').join(', ')
  return {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ...(asked === '' ? {} : { 'Access-Control-Allow-Headers': asked }),
  }
}

function pageOrigin(fields: Fields, account: Account): string | undefined {
  const [origin, ...more] = valuesOf(fields, 'origin')
  if (origin === undefined || more.length > 0) return undefined
  return isPageOrigin(account, origin) ? origin : undefined
}
