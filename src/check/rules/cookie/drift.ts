import type { FoundScope } from '../../../scopes/found-scope.ts'
import { parseSetCookie } from '../../../scopes/set-cookie.ts'
import type { CookieFact, Facts } from '../../facts.ts'
import { fail, pass, type Rule, type Ruling, skip } from '../../rule.ts'
import { onCookies } from '../subjects.ts'

export const drift: Rule = {
  id: 'cookie/drift',
  severity: 'warning',
  title: 'The site sets the cookie as the config says',
  why: 'The check goes by the entry in "cookies". If the site now sets another path or domain, the cookie reaches different points than the check assumes; if it no longer sets HttpOnly, the cookie needs no point.',
  wrong: 'the config says path "/", and the page sends Set-Cookie: sid=…; Path=/shop; HttpOnly',
  right: 'the entry in "cookies" has the path, domain, secure and httponly of the Set-Cookie line',
  fix: 'Copy the attributes that the site sends into "cookies", or correct the site.',
  reference: {
    text: 'RFC 6265bis, the Set-Cookie header field',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1',
  },
  needsPageVisits: true,
  evaluate: (facts) => {
    if (facts.pageVisits === undefined || facts.cookies.length === 0) return []
    const sent = toSent(facts)
    return onCookies((cookie) => judge(cookie, sent, facts))(facts)
  },
}

/** The cookies that pages set, as `cookies` lists them, without lines that delete a cookie or that browsers drop. */
function toSent({ pageVisits = new Map() }: Facts): readonly FoundScope[] {
  return [...pageVisits.values()].flatMap(({ cookies }) =>
    cookies.flatMap(({ url, line }) => {
      const { hostname, pathname } = new URL(url)
      // Time 0: of dates, only the epoch counts as past, which servers send to delete a cookie.
      const parsed = parseSetCookie(line, { host: hostname, path: pathname, receivedMs: 0 })
      return 'kind' in parsed ? [] : [parsed]
    }),
  )
}

function judge({ config }: CookieFact, sent: readonly FoundScope[], { cookies }: Facts): Ruling {
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
  const flags = secure === undefined ? '' : `, "secure": ${other.secure}`
  return fail(
    'The site sets this cookie differently from what the config says',
    `Write "domain": ${JSON.stringify(other.domain)}, "path": ${JSON.stringify(other.path)}, "httponly": ${other.httponly}${flags} in this entry of "cookies", or correct the site`,
    {
      expected: toText({ domain, path, httponly }),
      arrived: toText(other),
    },
  )
}

function isAt(sent: FoundScope, domain: string, path: string): boolean {
  return sent.domain === domain.toLowerCase() && sent.path === path
}

function toText({ domain, path, httponly }: Pick<FoundScope, 'domain' | 'path' | 'httponly'>): string {
  return `${domain} ${path}${httponly ? ' HttpOnly' : ''}`
}
