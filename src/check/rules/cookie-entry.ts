import type { CookieConfig } from '../../config/config.ts'
import { isIpHost, toCanonicalHost } from '../../http/host.ts'
import { toRequestedPath } from '../../http/url.ts'
import { findNamePrefix, type ScopeFaultKind } from '../../site/cookie-scope.ts'
import { oncePer } from '../by-key.ts'
import { isInsecureNone, judgeCarriages, judgeCookies } from '../carriage.ts'
import { findCarryingUrl } from '../carrying-url.ts'
import type { Facts } from '../facts.ts'
import type { Fix } from '../fix.ts'
import { cite, fail, pass, type Rule, type RulesById } from '../rule.ts'
import { eachCookie } from '../subjects.ts'
import { proposeAdding } from '../url-fixes.ts'

/** Rules on an entry of `cookies` by itself: whether a browser stores such a cookie. */
export const cookieEntryRules: RulesById = {
  'cookie/bad-name': {
    title: 'The name is a token',
    why: 'A cookie name is a token as defined in RFC 9110. Browsers, servers and proxies disagree about any other name, and many drop the cookie.',
    wrong: '{ "name": "my cookie", … }',
    right: '{ "name": "my_cookie", … }',
    fix: 'Write the name exactly as it is in Set-Cookie.',
    reference: cite('RFC 6265bis', '4.1.1', 'Set-Cookie syntax'),
    evaluate: eachScopeFault(
      'name',
      'Browsers and servers disagree about this name',
      () => "Write the name as it is in Set-Cookie: letters, digits and !#$%&'*+-.^_`|~",
    ),
  },
  'cookie/bad-domain': {
    title: 'The domain is a host name',
    why: "The domain of a scope is a host: with one leading dot if the cookie was set with a Domain attribute, without if it wasn't. Wildcards, ports and schemes have no place there.",
    wrong: '{ "domain": "*.example.com", … }',
    right: '{ "domain": ".example.com", … }',
    fix: 'Write the host alone, with one leading dot if the cookie was set with a Domain attribute.',
    reference: cite('RFC 6265bis', '5.6.3', 'the Domain attribute'),
    evaluate: eachScopeFault(
      'domain',
      'No browser stores a cookie for this domain',
      ({ domain }) => `Write ${guessDomain(domain)}`,
    ),
  },
  'cookie/public-suffix-domain': {
    title: 'The domain is not a public suffix',
    why: 'Browsers refuse a domain cookie for a public suffix (the private section of the list included), because every site below it would share it. If the suffix itself sets one, it becomes host-only.',
    wrong: '{ "domain": ".github.io", … }',
    right: '{ "domain": ".shop.github.io", … }',
    fix: 'Name the domain of your own site, or drop the dot for a host-only cookie.',
    reference: cite('RFC 6265bis', '5.7', 'storage model'),
    evaluate: eachScopeFault(
      'public-suffix',
      'Browsers refuse a domain cookie for a public suffix',
      ({ domain }) =>
        `Write "domain": "${domain.slice(1)}" if the cookie is host-only, else the domain of your own site`,
    ),
  },
  'cookie/bad-path': {
    title: 'The path can occur in a request',
    why: 'A browser sends a cookie if its path is a prefix of the request path, byte for byte. Without a leading slash the browser uses a default path instead; a space, a dot segment or a query never occurs in a request path.',
    wrong: '{ "path": "shop", … }',
    right: '{ "path": "/shop", … }',
    fix: 'Write the path as it is in Set-Cookie, starting with a slash.',
    reference: cite('RFC 6265bis', '5.1.4', 'paths and path-match'),
    evaluate: eachScopeFault(
      'path',
      'No browser sends a cookie with this path',
      ({ path }) => `Write "path": "${guessPath(path)}"`,
    ),
  },
  'cookie/prefix-contradiction': {
    title: "The attributes are those that the name's prefix requires",
    why: 'Browsers drop a cookie without the attributes that the prefix of its name requires, whatever the letter case: __Secure- requires Secure; __Host- requires Secure, no Domain and the path /; __Http- requires Secure and HttpOnly; __Host-Http- requires all of them.',
    wrong: '{ "name": "__Host-sid", "domain": ".example.com", "path": "/" }',
    right: '{ "name": "__Host-sid", "domain": "www.example.com", "path": "/" }',
    fix: "Correct the scope: it can't be what the server sets.",
    reference: cite('RFC 6265bis', '4.1.3', 'cookie name prefixes'),
    evaluate: eachScopeFault('prefix', 'No browser stores this cookie', listRequiredAttributes),
  },
  'cookie/same-site-none': {
    title: 'A cookie with SameSite=None is Secure',
    why: "Browsers drop a cookie that is set with SameSite=None but without Secure, so there is nothing to carry. One of the two hints doesn't match what the server sets.",
    wrong: '{ "name": "sid", …, "sameSite": "None", "secure": false }',
    right: '{ "name": "sid", …, "sameSite": "None", "secure": true }',
    fix: 'Correct "secure" or "sameSite", here or where the server sets the cookie.',
    reference: cite('RFC 6265bis', '5.7', 'storage model'),
    evaluate: eachCookie(({ config }, facts) =>
      isInsecureNone(config)
        ? fail('Browsers drop a cookie with SameSite=None that is not Secure', proposeSecure(config, facts))
        : pass,
    ),
  },
  'cookie/duplicate': {
    title: 'No other cookie has the same name, domain and path',
    why: 'Name, domain and path together identify a cookie, and a browser holds only one of each. A second entry either repeats the first or contradicts it.',
    wrong: 'sid of www.example.com / twice',
    right: 'sid of www.example.com / once',
    fix: 'Remove one of the two.',
    reference: cite('RFC 6265bis', '5.7', 'storage model'),
    evaluate: eachCookie(({ duplicateOf }) =>
      duplicateOf === undefined
        ? pass
        : fail('Another entry has the same name, domain and path', 'Remove this entry', {
            first: duplicateOf.config.location.pointer,
          }),
    ),
  },
}

/** Fails every cookie that has this fault; `what` says what the fault means in a browser. */
function eachScopeFault(
  kind: ScopeFaultKind,
  what: string,
  toFix: (config: CookieConfig) => string,
): Rule['evaluate'] {
  return eachCookie(({ config, judged }) => {
    const fault = judged.faults.find((each) => each.kind === kind)
    return fault === undefined ? pass : fail(`${what}: ${fault.reason}`, toFix(config))
  })
}

// What people paste instead of a host: a wildcard, a URL, a port, too many dots.
function guessDomain(domain: string): string {
  const bare = domain
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/:?#].*$/s, '')
  const host = toCanonicalHost(bare.replace(/^[*.]+/, '').replace(/(?<!\.)\.+$/, ''))
  if (host === undefined)
    return 'the host alone, such as "www.example.com", or ".example.com" for a domain cookie'
  return `"domain": "${/^[*.]/.test(bare) && !isIpHost(host) ? '.' : ''}${host}"`
}

function guessPath(path: string): string {
  if (path.trim() === '') return '/'
  const url = new URL(`http://host/${path.replace(/^\/+/, '').replaceAll(';', '%3B')}`)
  return toRequestedPath(url.pathname)
}

function listRequiredAttributes({ name, domain, path }: CookieConfig): string {
  const prefix = findNamePrefix(name)
  const wanted = [
    ...(prefix?.bindsHost && domain.startsWith('.') ? [`"domain": "${domain.slice(1)}"`] : []),
    ...(prefix?.bindsHost && path !== '/' ? ['"path": "/"'] : []),
    ...(prefix?.bindsHttp ? ['"httponly": true'] : []),
    '"secure": true',
  ]
  return `Write ${wanted.join(', ')}, if that is what the server sets`
}

/** A Secure cookie may need a point that this one did not. */
function proposeSecure(config: CookieConfig, facts: Facts): Fix {
  const what = 'Write "secure": true, if that is what the server sets, else another "sameSite"'
  const { scope, kind } = judgeIfSecure(facts).get(config) ?? {}
  const url = scope && kind !== 'sent' ? findCarryingUrl(scope, facts) : undefined
  return url === undefined ? { what } : { what: `${what}. ${proposeAdding(url, facts).what}`, url }
}

const judgeIfSecure = oncePer(({ cookies, points, pagesBySite }: Facts) => {
  const configs = cookies.map(({ config }) => config).filter(isInsecureNone)
  const judged = judgeCookies(configs.map((config) => ({ ...config, secure: true })))
  const carriages = judgeCarriages(judged, points, pagesBySite)
  return new Map(
    configs.map((config, at) => [config, { scope: judged[at]?.scope, kind: carriages[at]?.kind }]),
  )
})
