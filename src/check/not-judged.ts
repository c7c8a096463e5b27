import { DEFAULT_FILE, type LoadedConfig } from '../config/load.ts'
import type { Facts } from './facts.ts'

/** Something that was not checked because an input is missing. */
export interface NotJudged {
  readonly what: string
  /** As a clause. */
  readonly why: string
  /** How to have it checked, as an imperative clause. */
  readonly next: string
  /** The command of this program that does it. */
  readonly command?: string
}

/** What the chosen rules could not check for lack of input, so that "no findings" is not mistaken for "all is well". */
export function findNotJudged(facts: Facts, chosen: ReadonlySet<string>): readonly NotJudged[] {
  const has = (group: string) => [...chosen].some((id) => id.startsWith(`${group}/`))
  const { points, pages, cookies, live, account, service, askedPages = [] } = facts
  const isWidgetUnknown = chosen.has('page/widget') && pages.length > 0 && service === undefined
  const isOffline = has('live') && live === undefined
  return [
    ...askedPages.map(({ page, point }) => ({
      what: `anything else at ${page}`,
      why: `you named a page; only the point on its origin was checked, ${point}`,
      next: 'give other points as URLs, and pages with --page',
    })),
    has('cookie') &&
      cookies.length === 0 && {
        what: 'whether cookies reach the service',
        why: 'the config lists no "cookies"',
        next: 'list the cookies in "cookies"; init --from-cookies reads an export of the browser',
      },
    has('page') &&
      pages.length === 0 && {
        what: 'whether the pages can use the points',
        why: 'no pages are given',
        next: 'give the pages with --page or in "pages"',
      },
    service !== undefined &&
      namesPlaceholder(facts) && {
        what: 'the service itself',
        why: `${service.parsed.host} is a name reserved for examples`,
        next: 'put the address that the vendor gave you into "service.url"',
      },
    points.length > 0 &&
      isOffline && {
        what: 'what points and pages answer, and what the account says',
        why: 'the check was offline',
        next: 'leave out --offline',
      },
    points.length > 0 &&
      !isOffline &&
      has('account') &&
      account === undefined && {
        what: `what the account says${isWidgetUnknown ? ', and whether the widget is in the pages' : ''}`,
        why: service === undefined ? 'the config names no service' : 'it was not asked',
        next: `have ${service === undefined ? '"service.url" and ' : ''}"apiKey" in the config`,
      },
    account !== undefined &&
      account.points.length < points.length && {
        what: 'the account of the points that have a widgetKey of their own',
        why: 'a config is for one account',
        next: 'check these points with a config for their account',
      },
  ].filter((each) => each !== false)
}

/** Why there is nothing to check, if so: an empty report would read as a pass. `next`: what to do about it. */
export function findNothingToCheck(
  { config, file }: Exclude<LoadedConfig, { readonly problems: unknown }>,
  next: string,
): string | undefined {
  if (config.points.length + config.pages.length + config.cookies.length > 0) return undefined
  return file === undefined
    ? `there is no ${DEFAULT_FILE} here, and there is nothing to check: ${next}, or write a config with the command init`
    : `there is nothing to check: ${file} has no points, pages or cookies; add some, or ${next}`
}

/** Whether the config still has the placeholder of the service's address, though not all its points are examples. */
export function namesPlaceholder({ points, service }: Pick<Facts, 'points' | 'service'>): boolean {
  const isReal = points.some(({ parsed }) => parsed !== undefined && !isPlaceholder(parsed.host))
  return isReal && service !== undefined && isPlaceholder(service.parsed.host)
}

/** Reserved names: RFC 2606, and RFC 6761 section 6.5. */
function isPlaceholder(host: string): boolean {
  return /(?:^|\.)(?:example|invalid|example\.(?:com|net|org))$/.test(host)
}
