import type { CookieFact, Facts } from '../../facts.ts'
import { fail, onCookies, pass, type Rule, type Ruling, skip } from '../../rule.ts'

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
  needs: {},
  looksAtPages: 'yes',
  phase: 'judge',
  evaluate: (facts) => {
    if (facts.pageVisits === undefined || facts.cookies.length === 0) return []
    const sent = toSent(facts)
    return onCookies((cookie) => judge(cookie, sent, facts))(facts)
  },
}

interface Sent {
  readonly name: string
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
  readonly secure: boolean
}

/** The cookies that pages set, as `cookies` writes them. */
function toSent({ pageVisits = new Map() }: Facts): readonly Sent[] {
  return [...pageVisits.values()].flatMap(({ cookies }) =>
    cookies.map(({ url, line }) => {
      const { hostname, pathname } = new URL(url)
      return parseLine(line, hostname, pathname)
    }),
  )
}

/** RFC 6265bis section 5.6, as far as name, Domain, Path, Secure and HttpOnly go; the last of two counts. */
function parseLine(line: string, host: string, pagePath: string): Sent {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const attributeOf = (name: string) =>
    attributes
      .filter((each) => each.split('=', 1)[0]?.trim().toLowerCase() === name)
      .map((each) => each.slice(each.indexOf('=') + 1).trim())
      .at(-1)
  const [domain, path] = [attributeOf('domain')?.replace(/^\./, '').toLowerCase(), attributeOf('path')]
  const defaultPath = pagePath.slice(0, Math.max(1, pagePath.lastIndexOf('/')))
  return {
    name: pair.slice(0, pair.indexOf('=')),
    domain: domain === undefined || domain === '' ? host : `.${domain}`,
    path: path?.startsWith('/') ? path : defaultPath,
    httponly: attributeOf('httponly') !== undefined,
    secure: attributeOf('secure') !== undefined,
  }
}

function judge({ config }: CookieFact, sent: readonly Sent[], { cookies }: Facts): Ruling {
  const { name, domain, path, httponly, secure } = config
  const same = sent.filter((each) => each.name === name)
  if (same.length === 0) return skip('no page that was asked sets it')
  const isListed = (each: Sent) =>
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

function isAt(sent: Sent, domain: string, path: string): boolean {
  return sent.domain === domain.toLowerCase() && sent.path === path
}

function toText({ domain, path, httponly }: Pick<Sent, 'domain' | 'path' | 'httponly'>): string {
  return `${domain} ${path}${httponly ? ' HttpOnly' : ''}`
}
