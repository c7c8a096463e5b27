import { Secret } from '../config/secret.ts'
import { parseHttpUrl, parseUrl } from '../http/parse-url.ts'

/** What a server's config says about its hosts, in a form common to all syntaxes. */
export interface Found {
  readonly hosts: readonly FoundHost[]
  readonly notes: readonly Note[]
}

/** One host block: `server`, `<VirtualHost>`, or the block of a site. */
export interface FoundHost {
  /** `https://www.example.com`, one for each name and listener. */
  readonly origins: readonly string[]
  readonly rules: readonly FoundRule[]
}

/** A rule that forwards a path of the service's prefix. */
export interface FoundRule {
  readonly line: number
  /** `/shop/service_cookie_transfer/`. */
  readonly path: string
  /** The origins of the points that the rule makes. */
  readonly origins: readonly string[]
  /** The origin that it forwards to, if it is plain text. */
  readonly target: string | undefined
  /** The Host that it sets, if it is plain text. */
  readonly hostField: string | undefined
  /** What it sets X-Widget-Key to. */
  readonly key: Secret | undefined
  /** Whether it forwards to the service itself, or to a proxy in between. */
  readonly leadsTo: 'service' | 'proxy'
}

/** Something that was not understood, as a sentence without its full stop. */
export interface Note {
  readonly line: number
  readonly text: string
}

/** What a rule sets in requests, by field name in lower case. */
export type SetFields = ReadonlyMap<string, string>

/** The part of a rule that follows from the fields it sets. `origins` are those of the host. */
export function readFields(
  fields: SetFields,
  origins: readonly string[],
): Pick<FoundRule, 'origins' | 'hostField' | 'key' | 'leadsTo'> {
  const key = fields.get('x-widget-key')
  const origin = fields.get('x-continuation-origin')
  const hostField = fields.get('host')
  return {
    origins: origin === undefined ? origins : parseSentOrigins(origin, origins),
    hostField: hostField !== undefined && isPlainText(hostField) ? hostField : undefined,
    key: key === undefined || key === '' ? undefined : new Secret(key),
    leadsTo: key === undefined && origin === undefined ? 'proxy' : 'service',
  }
}

/** Whether a text contains no variables that the server would substitute at run time. */
export function isPlainText(text: string): boolean {
  return !/[$%{}]/.test(text)
}

/** The origins of those texts that are URLs, each once. */
export function parseOrigins(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.flatMap((url) => parseUrl(url)?.origin ?? []))]
}

/** The origin that a rule sends to the service: plain text, or the host's own with the scheme that is written. */
function parseSentOrigins(text: string, origins: readonly string[]): readonly string[] {
  const sent = parseHttpUrl(text)?.origin
  if (isPlainText(text)) return sent === undefined ? origins : [sent]
  const scheme = /^(https?):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return origins
  return [...new Set(origins.map((origin) => toScheme(origin, scheme)))]
}

function toScheme(origin: string, scheme: string): string {
  const url = new URL(origin)
  return url.protocol === `${scheme}:` ? origin : `${scheme}://${url.hostname}`
}
