import { isIpHost, isSingleLabelHost } from '../../http/host.ts'
import { isListedPublicSuffix } from '../../site/site.ts'
import { indexBy, oncePer } from '../by-key.ts'
import type { Facts, PointFact } from '../facts.ts'
import { findPagesOfSite } from '../parsed-url.ts'
import { cite, fail, pass, type RulesById, type Ruling } from '../rule.ts'
import { eachPoint, eachReadablePoint } from '../subjects.ts'
import { correctUrl, findOtherPrefix } from '../url-fixes.ts'

/** Rules on the URL of a point by itself. */
export const urlTextRules: RulesById = {
  'url/invalid': {
    title: 'The URL is an absolute http or https URL with nothing added',
    why: 'The proxy matches requests byte for byte, and a browser never sends one with credentials, a fragment or a dot segment, so such a point never matches. A host has to be one that DNS can have.',
    wrong: 'https://www.example.com/shop/../service_cookie_transfer/?v=2',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'Write scheme, host, cookie path if any, and the prefix; nothing else.',
    reference: cite('URL Standard', 'url-writing', 'URL writing'),
    evaluate: eachPoint((point, facts) => judgeFault('invalid', point, facts)),
  },
  'url/prefix': {
    title: "The path ends with the service's prefix, once, with its trailing slash",
    why: "The widget appends names of its own to the continuation URL. Unless the URL ends with exactly one prefix, trailing slash included, the result isn't an address of the service.",
    wrong: 'https://www.example.com/service_cookie_transfer',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'End the URL with `service.prefix`; a cookie path goes before it.',
    needs: { rules: ['url/invalid'] },
    evaluate: eachReadablePoint((point, facts) => judgeFault('prefix', point, facts)),
  },
  'url/duplicate': {
    title: 'No other point has the same URL',
    why: 'Two entries with the same URL are one point. Letter case in the host, the default port and the spelling of an international name make no difference, so one of the entries is a mistake, often in a host that was meant to differ.',
    wrong:
      'https://www.example.com/service_cookie_transfer/ and https://WWW.example.com:443/service_cookie_transfer/',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'Remove one of the two, or correct its host.',
    reference: cite('URL Standard', 'host-parsing', 'host parsing'),
    needs: { rules: ['url/invalid'] },
    evaluate: eachReadablePoint(({ duplicateOf, parsed }) =>
      duplicateOf === undefined
        ? pass
        : fail(`Another point has the same URL: ${duplicateOf.shown}`, 'Remove this point', {
            normalised: parsed.url,
            first: duplicateOf.location.pointer,
          }),
    ),
  },
  'url/trailing-dot': {
    title: 'The host does not end in a dot',
    why: 'Browsers treat example.com and example.com. as two sites with two sets of cookies. Nothing that belongs to one reaches the other.',
    wrong: 'https://www.example.com./service_cookie_transfer/',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'Write the host without the dot at its end.',
    reference: cite('HTML Standard', 'sites', 'sites'),
    needs: { rules: ['url/invalid'] },
    evaluate: eachReadablePoint((point, facts) =>
      point.parsed.host.endsWith('.')
        ? failMiswritten(
            `The host ${point.parsed.host} ends in a dot, which makes it a different site`,
            point,
            facts,
          )
        : pass,
    ),
  },
  'url/public-suffix-host': {
    title: 'The host is not a public suffix',
    why: 'Under a public suffix (com, co.uk, but also github.io or a hosting platform) everyone has a site of their own. The suffix itself shares no cookies and no registrable domain with any of them.',
    wrong: 'https://github.io/service_cookie_transfer/',
    right: 'https://shop.github.io/service_cookie_transfer/',
    fix: 'Use the full host name of your site.',
    reference: { text: 'Public Suffix List', url: 'https://publicsuffix.org/list/' },
    needs: { rules: ['url/invalid'] },
    evaluate: eachReadablePoint(({ parsed }, { prefix }) =>
      isListedPublicSuffix(parsed.host)
        ? fail(
            `${parsed.host} is a public suffix, not a site`,
            `Use the full host name of the site, as in ${parsed.scheme}://YOUR-SITE.${parsed.host}${prefix}`,
          )
        : pass,
    ),
  },
  'url/ip-host': {
    severity: 'warning',
    title: 'The host is a name with a registrable domain',
    why: 'An IP address or a single-label name (localhost) has no registrable domain. It is same-site only with itself, and no domain cookie reaches it: fine for a test on one machine, not for a website.',
    wrong: 'https://192.0.2.10/service_cookie_transfer/',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'Use the host name that visitors use.',
    reference: cite('URL Standard', 'host-registrable-domain', 'registrable domain'),
    needs: { rules: ['url/invalid'] },
    evaluate: eachReadablePoint(({ parsed }, { prefix }) => {
      const { host, scheme } = parsed
      const isBareLabel = isSingleLabelHost(host) && !isListedPublicSuffix(host)
      if (!isIpHost(host) && !isBareLabel) return pass
      return fail(
        `The host ${host} has no registrable domain: only pages on exactly this host can use the point`,
        `Use a host name, as in ${scheme}://www.example.com${prefix}; for a test on one machine, suppress this rule`,
      )
    }),
  },
}

/** Fails a point whose URL only needs to be rewritten, and says how. */
export function failMiswritten(
  message: string,
  point: PointFact,
  facts: Pick<Facts, 'prefix' | 'pagesBySite' | 'points'>,
): ReturnType<typeof fail> {
  const corrected = correctUrl(point, facts)
  if (corrected === undefined) return fail(message, `Write it as https://HOST${facts.prefix}`)
  const same = indexByUrl(facts.points).get(corrected) ?? []
  if (same.some((each) => each !== point))
    return fail(message, { what: `Remove this point: ${corrected} is there already`, url: corrected })
  const { parsed } = point
  const isGuess =
    parsed?.scheme === 'http' &&
    new URL(parsed.url).port !== '' &&
    corrected.startsWith('https:') &&
    !findPagesOfSite(parsed, facts.pagesBySite).some(
      ({ scheme, host }) => scheme === 'https' && host === parsed.host,
    )
  const otherwise = isGuess ? 'with its port, if https is on another than 443' : undefined
  return fail(message, { what: `Write ${corrected}`, otherwise, url: corrected, replacesPoint: true })
}

/** Needed for each point with a corrected URL. */
const indexByUrl = oncePer((points: Facts['points']) =>
  indexBy(points, ({ point }) => (point === undefined ? [] : [point.url])),
)

/** Fails a point whose URL has a fault of this kind. */
function judgeFault(kind: NonNullable<PointFact['fault']>['kind'], point: PointFact, facts: Facts): Ruling {
  if (point.fault?.kind !== kind) return pass
  const ruling = failMiswritten(`This can't be the URL of a point: ${point.fault.reason}`, point, facts)
  const other = kind === 'prefix' ? findOtherPrefix(point.shown, facts.prefix) : undefined
  if (other === undefined) return ruling
  const otherwise = `set "service.prefix" to "${other}" if that is the vendor's`
  return { ...ruling, fix: { ...ruling.fix, otherwise } }
}
