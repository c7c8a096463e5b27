import { check } from '../check/check.ts'
import { describeSubject, type Finding } from '../check/finding.ts'
import { printWholeFix } from '../check/fix.ts'
import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { rules } from '../check/rules/index.ts'
import { suggestPoints } from '../check/suggest-points.ts'
import { weigh } from '../check/summary.ts'
import type { Config } from '../config/config.ts'
import { parseConfig } from '../config/parse.ts'
import { DEFAULT_PREFIX, type FrontEndName } from '../config/schema.ts'
import type { FoundScope } from '../scopes/found-scope.ts'
import { toPlainText } from '../text/escape.ts'
import { toInlineJson } from '../text/json-text.ts'

/** What is known of a site before it has a config. */
interface KnownSite {
  /** Origins where the widget runs, each with a slash at its end. */
  readonly pages: readonly string[]
  /** Canonical URLs. */
  readonly points: readonly string[]
  readonly scopes: readonly KnownScope[]
  readonly serviceUrl: string | undefined
  readonly frontEnd?: FrontEndName | undefined
  readonly prefix: string
  /** What its account says; its points are then kept as they are. */
  readonly account?: { readonly backTransfer: boolean }
  /** Whether the variable `API_KEY` is there. */
  readonly hasRestKey?: boolean
}

/** A scope of an account has no Secure and SameSite. */
type KnownScope = Omit<FoundScope, 'secure' | 'sameSite'> & Partial<Pick<FoundScope, 'secure' | 'sameSite'>>

export interface FirstConfig {
  readonly text: string
  readonly points: readonly string[]
  readonly scopes: readonly KnownScope[]
  /** What was left out, and why, as sentences. */
  readonly notes: readonly string[]
}

/**
 * Makes a first config in which `check --offline` finds no error: points that carry every cookie from every page, and
 * no cookie that browsers reject. Without pages nothing is checked. Pure.
 *
 * @returns the config, or why there can be none, as sentences on lines of their own
 */
export function toFirstConfig(site: KnownSite): FirstConfig | string {
  const paths = [...site.points, ...site.scopes.map(({ path }) => `//${path}`)]
  const segments = paths.reduce((sum, path) => sum + path.split('/').length - 3, 0)
  if (segments > MOST_SEGMENTS)
    return `The paths of all points and cookies have ${segments} segments, and a first config takes ${MOST_SEGMENTS}. Export fewer, from the site alone.`
  const points = toPoints(site)
  if (typeof points === 'string') return points
  const text = render(site, points)
  const parsed = parseConfig(text, 'init')
  if ('problems' in parsed) return toReasons(parsed.problems)
  const errors = site.pages.length === 0 ? [] : findErrors(parsed.config)
  if (errors.length === 0) {
    const kept = new Set(points)
    const lost = site.points.filter((url) => !kept.has(url))
    const notes = lost.map((url) => `A first config leaves out ${url}: other points carry its cookies.`)
    return { text, points, scopes: site.scopes, notes }
  }
  const less = (site.account && leaveOutOfAccount(site, errors)) ?? leaveOutCookies(site, errors)
  if (less.notes.length === 0)
    return errors.map(({ subject, message }) => `${describeSubject(subject)}: ${message}.`).join('\n')
  const rest = toFirstConfig(less.site)
  return typeof rest === 'string' ? rest : { ...rest, notes: [...less.notes, ...rest.notes] }
}

/** The site without what has errors, and a sentence for each. */
function leaveOutCookies(site: KnownSite, errors: readonly Finding[]) {
  const refused = errors.filter(({ subject }) => 'cookie' in subject)
  const keys = new Set(refused.flatMap(({ subject }) => ('cookie' in subject ? toKey(subject.cookie) : [])))
  const scopes = site.scopes.filter((scope) => !keys.has(toKey(scope)))
  const notes = refused.map(({ subject, message }) => `${describeSubject(subject)} is left out: ${message}.`)
  return { site: { ...site, scopes }, notes }
}

/** What an account lists was not chosen by the user, so one entry must not cost them the others: its points and pages first. */
function leaveOutOfAccount(site: KnownSite, errors: readonly Finding[]) {
  const reasons = new Map<unknown, string>()
  for (const { subject, evidence, message } of errors.toReversed()) {
    const url = 'point' in subject ? subject.point : 'page' in subject ? subject.page : evidence.point
    reasons.set(url, message)
  }
  const isLeft = (url: string) => !reasons.has(url)
  const points = site.points.filter(isLeft)
  const [known, kept] = [site.points, points].map(
    (urls) => new Set(urls.map((url) => `${new URL(url).origin}/`)),
  )
  const pages = site.pages.filter((page) => kept?.has(page) || (!known?.has(page) && isLeft(page)))
  const gone = [...site.points, ...site.pages.filter((page) => !known?.has(page))].filter(
    (url) => !isLeft(url),
  )
  if (gone.length > 0) {
    const notes = gone.map((url) => `${url} is left out: ${reasons.get(url)}.`)
    return { site: { ...site, points, pages }, notes }
  }
  const cause = errors.find(({ id }) => id === 'service/back-transfer-domain')
  return (
    cause && {
      site: { ...site, account: { backTransfer: false } },
      notes: [`backTransfer is left out: ${cause.message}. The account has it on.`],
    }
  )
}

/** The known points that are needed, those of the pages, and those that `check` suggests. Without cookies all may be needed. */
function toPoints(site: KnownSite): readonly string[] | string {
  const { pages, points, scopes, prefix } = site
  const roots = pages.map((page) => `${page.slice(0, -1)}${prefix}`)
  // The service's verification page needs a point on the path / of an origin.
  const urls = site.account === undefined ? [...points, ...roots] : points
  const parsed = parseConfig(
    JSON.stringify({ service: { prefix }, pages, points: urls, cookies: scopes }),
    'init',
  )
  if ('problems' in parsed) return toReasons(parsed.problems)
  const suggested =
    scopes.length === 0 || site.account !== undefined
      ? undefined
      : suggestPoints(gatherOfflineFacts(parsed.config))?.urls
  return [...new Set(suggested ?? urls)].sort()
}

function toReasons(problems: readonly { readonly message: string }[]): string {
  return problems.map(({ message }) => `${message}.`).join('\n')
}

function toKey({ name, domain, path }: Pick<FoundScope, 'name' | 'domain' | 'path'>): string {
  return JSON.stringify([name, domain, path])
}

function render(
  { pages, scopes, serviceUrl = PLACEHOLDER, prefix, account, hasRestKey, frontEnd }: KnownSite,
  points: readonly string[],
): string {
  const service = { url: serviceUrl, ...(prefix === DEFAULT_PREFIX ? {} : { prefix }) }
  return `{
  // The service's origin: the vendor provides it.
  "service": ${spaced(service)},
  "widgetKey": "env:WIDGET_KEY",
  // Both keys are in the integration panel, below the widget code. With the REST key,
  // "settings apply" keeps the account in step with this file; "settings sheet" needs none.
  ${hasRestKey ? '' : '// '}"apiKey": "env:API_KEY",
  // One for each origin where the widget runs, and one for each cookie path that is not "/".
${list('points', points)}
  // The front page of each origin where sessions start. check loads it without signing in;
  // replace it by one that has the widget.
${list('pages', pages)}
${scopes.length === 0 ? NO_COOKIES : list('cookies', scopes)}${account?.backTransfer ? '\n  "backTransfer": true,' : ''}${frontEnd === undefined ? '' : `\n  "frontEnd": "${frontEnd}",`}
}
`
}

function list(name: string, values: readonly unknown[]): string {
  if (values.length === 0) return `  "${name}": [],`
  return `  "${name}": [\n${values.map((value) => `    ${spaced(value)},`).join('\n')}\n  ],`
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return toInlineJson(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{ ${members.map(([key, member]) => `"${key}": ${toInlineJson(member)}`).join(', ')} }`
}

/** It is checked before it is written, which takes some seconds then. */
const MOST_SEGMENTS = 4_000

/** Stands for the service's origin until that is known. */
export const PLACEHOLDER = 'https://cobrowse.example.net'

const NO_COOKIES = `  // Without "cookies", "settings apply" leaves those of the account alone.
  // "cookies": [],`

/** The errors that `check --offline` finds in this config; applying it would repeat them in the account. */
export function findErrors(config: Config): readonly Finding[] {
  const choice = { only: [], skip: [], suppress: config.suppress }
  const { findings } = check(gatherOfflineFacts(config), rules, choice)
  return findings.filter((finding) => weigh(finding) === 'error')
}

export function renderErrors(errors: readonly Finding[]): string {
  return errors
    .map(({ id, subject, message, fix }) =>
      [
        `${id}  ${toPlainText(describeSubject(subject))}`,
        `  ${toPlainText(message)}`,
        ...(fix === undefined ? [] : [`  fix  ${toPlainText(printWholeFix(fix))}`]),
        '',
      ].join('\n'),
    )
    .join('')
}
