import { createHash } from 'node:crypto'
import { valuesOf } from '../../http/fields.ts'
import type { Account } from '../state/account.ts'
import type { Arrival } from '../wire/arrival.ts'
import { isWidgetKeyKnown, verifiableUrls, verify } from './verification.ts'

/** What the stand-in says of a request at its continuation end. */
export type Inspected = ReturnType<typeof inspectRequest>

export function inspectRequest(arrival: Parameters<typeof describeRequest>[0], account: Account) {
  return {
    checks: verify(arrival.fields, account),
    listedUrls: verifiableUrls(arrival.fields, account),
    received: describeRequest(arrival, account),
  }
}

/** Describes everything of a request that a checker compares, but no cookie value, key or body. */
function describeRequest(
  { method, target, fields, body }: Pick<Arrival, 'method' | 'target' | 'fields' | 'body'>,
  account: Account,
) {
  const cookieLines = valuesOf(fields, 'cookie')
  const keys = valuesOf(fields, 'x-widget-key')
  return {
    method,
    target,
    host: valuesOf(fields, 'host')[0],
    continuationOrigins: valuesOf(fields, 'x-continuation-origin'),
    widgetKey: { lines: keys.length, known: isWidgetKeyKnown(fields, account) },
    /** Of the key, if exactly one line arrived, so that a checker can tell it from another customer's. */
    widgetKeySha256: keys.length === 1 ? createHash('sha256').update(keys.join()).digest('hex') : undefined,
    fields: fields.flatMap((name, at) =>
      at % 2 === 0 ? [{ name, octets: fields[at + 1]?.length ?? 0 }] : [],
    ),
    /** Every cookie in order of arrival; a part without `=` has an empty name, as in a browser's cookie store. */
    cookies: cookieLines.flatMap(measureCookies),
    cookieLineOctets: cookieLines.map((line) => line.length),
    body,
  }
}

/** Splits a cookie-string, RFC 6265 section 4.2.1, as leniently as servers do. */
function measureCookies(line: string) {
  return line
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return { name: pair.slice(0, Math.max(0, equals)), octets: pair.length - equals - 1 }
    })
}
