import { canParseUrl } from '../../../http/can-parse-url.ts'
import { toCanonicalUrl } from '../../../http/requested-path.ts'
import type { Facts, PointFact } from '../../facts.ts'
import { toShownText, toShownUrl } from '../../read/shown-text.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { columnsEvidence, onAccount, READ_ACCOUNT } from './on-account.ts'

export const urlStale: Rule = {
  id: 'account/url-stale',
  severity: 'error',
  title: 'On these hosts, the account lists only URLs that are points',
  why: 'The widget calls every continuation URL of the account that is on its site. One that nothing serves fails every time, and makes working points look broken.',
  wrong: 'https://www.example.com/old/service_cookie_transfer/ still in cookie_transfer_urls',
  right: 'cookie_transfer_urls has the URLs of the points, and no others on their hosts',
  fix: 'Take the URL out of cookie_transfer_urls, or add it to the points; "settings apply" writes the list.',
  needs: READ_ACCOUNT,
  evaluate: onAccount('cookie_transfer_urls', ({ options }, facts, { points }) => {
    const own = points.flatMap((index) => facts.points[index] ?? [])
    const stale = findStale(options.cookie_transfer_urls ?? [], own, facts)
    if (stale.length === 0) return pass
    const shown = stale.slice(0, 10).map((url) => toShownText(toShownUrl(url)))
    return fail(
      stale.length === 1
        ? `The account lists ${shown[0]}, which is not a point in this config`
        : `The account lists ${stale.length} URLs that are not points in this config`,
      `Take ${shown.join(', ')} out of cookie_transfer_urls (continuation-point settings apply does that), or add it to "points"`,
      columnsEvidence(
        own.slice(0, 10).map((point) => point.shown),
        shown,
        undefined,
      ),
    )
  }),
}

// Other hosts may belong to another config of the same account.
function findStale(
  listed: readonly string[],
  own: readonly PointFact[],
  { points, pages }: Facts,
): readonly string[] {
  const hosts = new Set([...points, ...pages].flatMap(({ parsed }) => parsed?.host ?? []))
  const known = new Set(own.flatMap(({ parsed }) => parsed?.url ?? []))
  return listed.filter((text) => {
    if (!canParseUrl(text)) return false
    const { hostname, href } = toCanonicalUrl(text)
    return hosts.has(hostname) && !known.has(href)
  })
}
