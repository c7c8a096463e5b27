import { canParseUrl } from '../../http/can-parse-url.ts'
import { type Fields, valuesOf } from '../../http/fields.ts'
import { type Account, listedUrls } from '../state/account.ts'

/** One box of the verification page (spec 4.9, rule 9). */
export interface Check {
  readonly check: 'forwarded' | 'origin' | 'widget-key' | 'allowed'
  readonly outcome: 'pass' | 'fail'
  /** What was found, in one or two sentences; plain text, with field values as they arrived. */
  readonly description: string
}

/**
 * Checks a request at the continuation end by what the service sees. Only the browser knows which URL it requested, so if
 * `origin` and `allowed` pass here, the browser still has to confirm them.
 */
export function verify(fields: Fields, account: Account): readonly Check[] {
  const origins = valuesOf(fields, 'x-continuation-origin')
  const keys = valuesOf(fields, 'x-widget-key')
  const forwarded = judgeForwarded(origins, keys)
  const origin = judgeOrigin(origins)
  const widgetKey = judgeWidgetKey(keys, account)
  const isKnown = origin.outcome === 'pass' && widgetKey.outcome === 'pass'
  return [
    { check: 'forwarded', ...forwarded },
    { check: 'origin', ...origin },
    { check: 'widget-key', ...widgetKey },
    { check: 'allowed', ...judgeAllowed(origins[0], isKnown, account) },
  ]
}

/**
 * The listed continuation URLs of the request's origin, which the browser compares with the URL it requested. They are
 * disclosed only for the account's widget key.
 */
export function verifiableUrls(fields: Fields, account: Account): readonly string[] {
  const [origin] = valuesOf(fields, 'x-continuation-origin')
  if (origin === undefined || !isWidgetKeyKnown(fields, account)) return []
  return listedUrls(account, origin)
}

/** Whether X-Widget-Key arrived once, with a key that the service knows. */
export function isWidgetKeyKnown(fields: Fields, account: Account): boolean {
  return judgeWidgetKey(valuesOf(fields, 'x-widget-key'), account).outcome === 'pass'
}

/** The checks of a request whose Host is not the service's, and which would not reach a real service. */
export function judgeMisdirected(checks: readonly Check[], fields: Fields): readonly Check[] {
  const hosts = valuesOf(fields, 'host')
  const failed = fail(
    `The request arrived with Host ${hosts.map(quote).join(' and ')}, which is not a host of the service: the front end has to send the service’s own.`,
  )
  return checks.map((each) => (each.check === 'forwarded' ? { ...each, ...failed } : each))
}

type Judgement = Omit<Check, 'check'>

function judgeForwarded(origins: readonly string[], keys: readonly string[]): Judgement {
  if (origins.length + keys.length > 0) return pass('The request came through a continuation point.')
  return fail(
    'The request carries neither X-Widget-Key nor X-Continuation-Origin: it came to the service directly, or through something that is not set up as a continuation point.',
  )
}

function judgeOrigin(origins: readonly string[]): Judgement {
  const [origin] = origins
  if (origin === undefined) return fail('X-Continuation-Origin did not arrive.')
  if (origins.length > 1) {
    return fail(`X-Continuation-Origin arrived ${origins.length} times: ${origins.map(quote).join(', ')}.`)
  }
  const serialised = serialisedOrigin(origin)
  if (serialised === undefined) {
    return fail(`X-Continuation-Origin is ${quote(origin)}, which is not the origin of a site.`)
  }
  if (serialised !== origin) {
    return fail(`X-Continuation-Origin is ${quote(origin)}; as an origin it is written ${quote(serialised)}.`)
  }
  return pass(`X-Continuation-Origin is ${quote(origin)}.`)
}

function judgeWidgetKey(keys: readonly string[], account: Account): Judgement {
  const [key] = keys
  if (key === undefined) return fail('X-Widget-Key did not arrive.')
  if (keys.length > 1) return fail(`X-Widget-Key arrived ${keys.length} times.`)
  if (key === '') return fail('X-Widget-Key arrived empty.')
  if (key !== account.widgetKey) return fail(`The service knows no widget key ${masked(key)}.`)
  return pass(`The service knows the widget key ${masked(key)}.`)
}

function judgeAllowed(origin: string | undefined, identified: boolean, account: Account): Judgement {
  if (origin === undefined || !identified) {
    return fail('It needs a correct X-Continuation-Origin and a known widget key first.')
  }
  const { settings } = account
  if (!settings.cookie_transfer_enabled)
    return fail('cookie_transfer_enabled is off in the account settings.')
  if (!settings.cookie_transfer_proxying)
    return fail('cookie_transfer_proxying is off in the account settings.')
  const urls = listedUrls(account, origin)
  if (urls.length === 0) {
    return fail(`No URL in cookie_transfer_urls of the account settings has the origin ${quote(origin)}.`)
  }
  return pass(`The account settings list ${urls.map(quote).join(' and ')}.`)
}

/** The ASCII serialisation of an origin (HTML, section "Origin"); `undefined` if the text is not an http(s) URL. */
function serialisedOrigin(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) return undefined
  return new URL(text).origin
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

function pass(description: string): Judgement {
  return { outcome: 'pass', description }
}

function fail(description: string): Judgement {
  return { outcome: 'fail', description }
}

const SHOWN_CHARACTERS = 200
