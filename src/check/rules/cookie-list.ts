import type { FoundScope } from '../../scopes/found-scope.ts'
import { parseSetCookie } from '../../scopes/set-cookie.ts'
import { toDomainKey } from '../../site/cookie-scope.ts'
import { toSite } from '../../site/site.ts'
import type { CookieFact, Facts } from '../facts.ts'
import { escapeAndCut } from '../read/reply.ts'
import { cite, fail, pass, type RulesById, type Ruling, skip } from '../rule.ts'
import { eachCookie, onSetting } from '../subjects.ts'

/** Rules on the list of cookies: whether it fits together, and the site. */
export const cookieListRules: RulesById = {
  'cookie/mixed-parties': {
    title: "All cookies belong to the pages' sites, or none of them do",
    why: "First-party and third-party cookies can't be transferred in one setup: the widget uses only points on the page's own site, and those never receive another site's cookies.",
    wrong: 'page on example.com, cookies of example.com and of example.net',
    right: 'page on example.com, cookies of example.com only',
    fix: 'Remove the cookies of other sites, or list the pages of those sites.',
    reference: cite('HTML Standard', 'same-site', 'same site'),
    needs: { facts: ['cookies', 'pages'] },
    evaluate: (facts) => {
      // Those that belong to no page's site.
      const foreign = facts.cookies.filter(
        ({ judged: { scope } }) => scope !== undefined && !facts.pagesBySite.has(toSite(scope.host)),
      )
      const ruling = judgeParties(facts, foreign)
      return [onSetting('cookies', ruling, ruling === pass ? undefined : foreign[0]?.config.location)]
    },
  },
  'cookie/none-httponly': {
    severity: 'info',
    title: 'An httpOnly cookie is listed',
    why: 'The widget carries cookies that scripts can read by itself. Continuation points are for httpOnly ones; if none is listed, either no point is needed or "httponly" was forgotten.',
    wrong: '{ "name": "sid", …, "httponly": false } alone',
    right: '{ "name": "sid", …, "httponly": true }',
    fix: 'Set "httponly": true on the cookies that are httpOnly, or remove the points.',
    reference: cite('RFC 6265bis', '4.1.2.6', 'the HttpOnly attribute'),
    needs: { facts: ['cookies'] },
    evaluate: ({ cookies }) => {
      if (cookies.some(({ config }) => config.httponly)) return [onSetting('cookies', pass)]
      const message =
        'No listed cookie is httpOnly: the widget carries the others without a continuation point'
      const fix = 'Add "httponly": true to the cookies that are set with HttpOnly, if any'
      return [onSetting('cookies', fail(message, fix))]
    },
  },
  'cookie/drift': {
    severity: 'warning',
    title: 'The site sets the cookie as the config says',
    why: 'The check goes by the entry in "cookies". If the site now sets another path or domain, the cookie reaches different points than the check assumes; if it no longer sets HttpOnly, the cookie needs no point.',
    wrong: 'the config says path "/", and the page sends Set-Cookie: sid=…; Path=/shop; HttpOnly',
    right: 'the entry in "cookies" has the path, domain, secure and httponly of the Set-Cookie line',
    fix: 'Copy the attributes that the site sends into "cookies", or correct the site.',
    reference: cite('RFC 6265bis', '4.1', 'the Set-Cookie header'),
    needsPageVisits: true,
    evaluate: (facts) => {
      if (facts.pageVisits === undefined || facts.cookies.length === 0) return []
      const sent = findSent(facts)
      return eachCookie((cookie) => judgeDrift(cookie, sent, facts))(facts)
    },
  },
  'cookie/unlisted': {
    severity: 'warning',
    title: 'The httpOnly cookies that the pages set are listed',
    why: 'A visitor is often not signed in for the agent because the session cookie is missing in the list: its points are not checked, and the account does not name it. Cookies of load balancers and firewalls need not be listed.',
    wrong: '"cookies" without PHPSESSID, and a page that sends Set-Cookie: PHPSESSID=…; HttpOnly',
    right: '{ "name": "PHPSESSID", "domain": "www.example.com", "path": "/", "httponly": true }',
    fix: 'Add the cookie to "cookies", with the domain, path and httponly of the Set-Cookie line.',
    needsPageVisits: true,
    evaluate: (facts) => {
      if (facts.pageVisits === undefined || facts.cookies.length === 0) return []
      return [onSetting('cookies', judgeUnlisted(facts), facts.cookies[0]?.config.location)]
    },
  },
}

function judgeUnlisted(facts: Facts): Ruling {
  const listed = new Set(facts.cookies.map(({ config }) => config.name))
  const unlisted = findSent(facts).filter(
    ({ name, httponly }) => httponly && !listed.has(name) && !INFRASTRUCTURE.test(name),
  )
  if (unlisted.length === 0) return pass
  const entries = unlisted.map(({ name, domain, path, secure }) => {
    const entry = { name, domain, path, httponly: true, ...(secure && { secure }) }
    const members = Object.entries(entry).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    return `{ ${members.join(', ')} }`
  })
  const names = [...new Set(unlisted.map(({ name }) => escapeAndCut(name)))]
  return fail(
    `The pages set httpOnly cookies that "cookies" does not list: ${joinFirst(names)}`,
    `If a session needs it, add to "cookies": ${[...new Set(entries)].slice(0, 3).map(escapeAndCut).join(', ')}`,
    { cookies: names.slice(0, 20) },
  )
}

/** Cookies of load balancers and firewalls, in which no session is kept. */
const INFRASTRUCTURE =
  /^(?:AWSALB|AWSELB|BIGipServer|TS[\da-f]{6,}|__cf|cf_|_abck$|ak_bmsc$|bm_|incap_ses|visid_incap|nlbi_|ROUTEID|SERVERID|ARRAffinity)/i

function judgeParties({ cookies }: Facts, foreign: readonly CookieFact[]): Ruling {
  const scopes = cookies.filter(({ judged }) => judged.scope !== undefined)
  if (foreign.length === 0 || foreign.length === scopes.length) return pass
  const names = [...new Set(foreign.map(({ config }) => config.name))]
  const sites = [...new Set(foreign.flatMap(({ judged: { scope } }) => (scope ? toSite(scope.host) : [])))]
  return fail(
    `${foreign.length} of ${scopes.length} cookies don't belong to the site of any page: ${joinFirst(names)}`,
    `Remove ${joinFirst(names)} from "cookies", or add a page on ${joinFirst(sites)} to "pages"`,
    { cookies: names.slice(0, 20), sites: sites.slice(0, 20) },
  )
}

function joinFirst(words: readonly string[]): string {
  return words.length <= 3 ? words.join(', ') : `${words.slice(0, 3).join(', ')} and ${words.length - 3} more`
}

/** The cookies that pages set, as `cookies` lists them, without lines that delete a cookie or that browsers drop. */
function findSent({ pageVisits = new Map() }: Facts): readonly SentCookie[] {
  return [...pageVisits.values()].flatMap(({ cookies }) =>
    cookies.flatMap(({ url, line }) => {
      const { hostname, pathname } = new URL(url)
      // Time 0: of dates, only the epoch counts as past, which servers send to delete a cookie.
      const parsed = parseSetCookie(line, { host: hostname, path: pathname, receivedMs: 0 })
      const partitioned = /;\s*partitioned\s*(?:;|$)/i.test(line)
      return 'kind' in parsed ? [] : [{ ...parsed, partitioned }]
    }),
  )
}

type SentCookie = FoundScope & { readonly partitioned: boolean }

function judgeDrift({ config }: CookieFact, sent: readonly SentCookie[], { cookies }: Facts): Ruling {
  const { name, domain, path, httponly, secure } = config
  const same = sent.filter((each) => each.name === name)
  if (same.length === 0) return skip('no visited page sets it')
  const isListed = (each: FoundScope) =>
    cookies.some(({ config: other }) => other.name === name && isAt(each, other.domain, other.path))
  const here = same.find((each) => isAt(each, domain, path))
  const other = here ?? same.find((each) => !isListed(each))
  if (other === undefined) return skip('the pages set another cookie of this name, which is listed')
  const differs =
    here === undefined || other.httponly !== httponly || (secure !== undefined && other.secure !== secure)
  if (!differs) return pass
  const arrived = `${describeScope(other)}${other.partitioned ? ' Partitioned' : ''}`
  const flags = secure === undefined ? '' : `, "secure": ${other.secure}`
  return fail(
    'The site sets this cookie differently from what the config says',
    `Write "domain": ${JSON.stringify(other.domain)}, "path": ${JSON.stringify(other.path)}, "httponly": ${other.httponly}${flags} in this entry of "cookies", or correct the site`,
    { expected: describeScope(config), arrived },
  )
}

function isAt(sent: FoundScope, domain: string, path: string): boolean {
  return toDomainKey(sent.domain) === toDomainKey(domain) && sent.path === path
}

function describeScope({ domain, path, httponly }: Pick<FoundScope, 'domain' | 'path' | 'httponly'>): string {
  return `${domain} ${path}${httponly ? ' HttpOnly' : ''}`
}
