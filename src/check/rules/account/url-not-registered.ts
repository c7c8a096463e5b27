import { canParseUrl } from '../../../http/can-parse-url.ts'
import { toCanonicalUrl } from '../../../http/requested-path.ts'
import type { Facts, PointFact } from '../../facts.ts'
import { toShownText, toShownUrl } from '../../read/shown-text.ts'
import { fail, pass, type Rule, type Ruling, skip } from '../../rule.ts'
import { pointCase } from '../subjects.ts'
import { columnsEvidence, observedAllowed, type ReadAccount, unreadCase } from './on-account.ts'

export const urlNotRegistered: Rule = {
  id: 'account/url-not-registered',
  severity: 'error',
  title: 'The account lists the continuation URL',
  why: 'The widget learns the continuation points from the account. A point that is not in cookie_transfer_urls is never called.',
  wrong: 'a point on https://www.example.com, and http://www.example.com/… in cookie_transfer_urls',
  right: 'cookie_transfer_urls has the URL of every point, exactly as in the config',
  fix: 'Add the URL to cookie_transfer_urls in the account; "settings apply" writes it.',
  needs: { rules: ['account/other-account', 'url/invalid', 'url/prefix', 'url/duplicate'] },
  evaluate: (facts) =>
    (facts.accounts ?? []).flatMap((account) => {
      const { said, points } = account
      if (said.kind !== 'options') return [unreadCase(account)]
      return points.flatMap((index) => {
        const point = facts.points[index]
        return point === undefined ? [] : [{ ...pointCase(point), judge: () => judge(point, said, facts) }]
      })
    }),
}

function judge({ shown, point }: PointFact, { options }: ReadAccount, facts: Facts): Ruling {
  if (point === undefined) return skip('the URL of the point could not be read')
  const listed = options.cookie_transfer_urls ?? []
  if (listed.some((url) => canParseUrl(url) && toCanonicalUrl(url).href === point.url)) return pass
  return fail(
    'The account does not list this continuation URL',
    `Add ${point.url} to cookie_transfer_urls (continuation-point settings apply does that)`,
    columnsEvidence(
      point.url,
      listed.slice(0, 10).map((url) => toShownText(toShownUrl(url))),
      observedAllowed(facts)?.[shown],
    ),
  )
}
