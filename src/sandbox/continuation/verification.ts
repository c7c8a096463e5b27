import { createHash } from 'node:crypto'
import { type Fields, valuesOf } from '../../http/fields.ts'
import { parseHttpUrl } from '../../http/url.ts'
import type { Arrival } from '../state/arrival.ts'
import { type Account, listedUrls } from '../state/company.ts'

/** One box of the verification page (spec 4.9, rule 9). */
export interface Check {
  readonly check: 'forwarded' | 'origin' | 'widget-key' | 'allowed'
  readonly outcome: 'pass' | 'fail'
  /** What was found, in one or two sentences; plain text, with field values as they arrived. */
  readonly description: string
}

/** Checks a request by what the service sees; the browser still has to confirm `origin` and `allowed`. */
export function verify(fields: Fields, account: Account): readonly Check[] {
  const origins = valuesOf(fields, 'x-continuation-origin')
  const keys = valuesOf(fields, 'x-widget-key')
  const [[origin = ''], [key = '']] = [origins, keys]
  const forwardedFault = origins.length + keys.length > 0 ? undefined : NOT_FORWARDED
  const [originFault, keyFault] = [findOriginFault(origins), findKeyFault(keys, account)]
  const allowedFault =
    originFault === undefined && keyFault === undefined
      ? findSettingsFault(origin, account)
      : 'It needs a correct X-Continuation-Origin and a known widget key first.'
  const listed = listedUrls(account, origin).map(quote).join(' and ')
  return [
    judge('forwarded', 'The request came through a continuation point.', forwardedFault),
    judge('origin', `X-Continuation-Origin is ${quote(origin)}.`, originFault),
    judge('widget-key', `The service knows the widget key ${masked(key)}.`, keyFault),
    judge('allowed', `The account settings list ${listed}.`, allowedFault),
  ]
}

/** What the stand-in says of a request at its continuation end. */
export type Inspected = ReturnType<typeof inspectRequest>

export function inspectRequest(
  { method, target, fields, body }: Pick<Arrival, 'method' | 'target' | 'fields' | 'body'>,
  account: Account,
) {
  const cookieLines = valuesOf(fields, 'cookie')
  const origins = valuesOf(fields, 'x-continuation-origin')
  const keys = valuesOf(fields, 'x-widget-key')
  const known = findKeyFault(keys, account) === undefined
  return {
    checks: verify(fields, account),
    /** Those of its origin, for the browser to compare with the URL it requested; disclosed only for the account's key. */
    listedUrls: known ? listedUrls(account, origins[0] ?? '') : [],
    /** Everything of the request that a checker compares, but no cookie value, key or body. */
    received: {
      method,
      target,
      host: valuesOf(fields, 'host')[0],
      continuationOrigins: origins,
      widgetKey: { lines: keys.length, known },
      /** Of the key, if exactly one line arrived, so that a checker can tell it from another customer's. */
      widgetKeySha256: keys.length === 1 ? createHash('sha256').update(keys.join()).digest('hex') : undefined,
      fields: fields.flatMap((name, at) =>
        at % 2 === 0 ? [{ name, octets: fields[at + 1]?.length ?? 0 }] : [],
      ),
      /** Every cookie in order of arrival; a part without `=` has an empty name, as in a browser's cookie store. */
      cookies: cookieLines.flatMap(measureCookies),
      cookieLineOctets: cookieLines.map((line) => line.length),
      body,
    },
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

function judge(check: Check['check'], passed: string, fault: string | undefined): Check {
  return { check, outcome: fault === undefined ? 'pass' : 'fail', description: fault ?? passed }
}

function findOriginFault(origins: readonly string[]): string | undefined {
  const [origin] = origins
  if (origin === undefined) return 'X-Continuation-Origin did not arrive.'
  if (origins.length > 1)
    return `X-Continuation-Origin arrived ${origins.length} times: ${origins.map(quote).join(', ')}.`
  const serialised = parseHttpUrl(origin)?.origin
  if (serialised === undefined)
    return `X-Continuation-Origin is ${quote(origin)}, which is not the origin of a site.`
  if (serialised === origin) return undefined
  return `X-Continuation-Origin is ${quote(origin)}; as an origin it is written ${quote(serialised)}.`
}

function findKeyFault(keys: readonly string[], { widgetKey }: Account): string | undefined {
  const [key] = keys
  if (key === undefined) return 'X-Widget-Key did not arrive.'
  if (keys.length > 1) return `X-Widget-Key arrived ${keys.length} times.`
  if (key === '') return 'X-Widget-Key arrived empty.'
  return key === widgetKey ? undefined : `The service knows no widget key ${masked(key)}.`
}

function findSettingsFault(origin: string, account: Account): string | undefined {
  const { cookie_transfer_enabled, cookie_transfer_proxying } = account.settings
  if (!cookie_transfer_enabled) return 'cookie_transfer_enabled is off in the account settings.'
  if (!cookie_transfer_proxying) return 'cookie_transfer_proxying is off in the account settings.'
  if (listedUrls(account, origin).length > 0) return undefined
  return `No URL in cookie_transfer_urls of the account settings has the origin ${quote(origin)}.`
}

/** Long field values are cut. */
function quote(text: string): string {
  return text.length > SHOWN_CHARACTERS
    ? `"${text.slice(0, SHOWN_CHARACTERS)}…" (${text.length} characters)`
    : `"${text}"`
}

/** The start of a key, enough to recognise it. */
function masked(key: string): string {
  return `"${key.slice(0, Math.min(4, Math.floor(key.length / 3)))}…" (${key.length} characters)`
}

const NOT_FORWARDED =
  'The request carries neither X-Widget-Key nor X-Continuation-Origin: it came to the service directly, or through something that is not set up as a continuation point.'

const SHOWN_CHARACTERS = 200
