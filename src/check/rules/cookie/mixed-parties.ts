import { toSite } from '../../../site/site.ts'
import type { CookieFact, Facts } from '../../facts.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export const mixedParties: Rule = {
  id: 'cookie/mixed-parties',
  severity: 'error',
  title: "All cookies belong to the pages' sites, or none of them do",
  why: "First-party and third-party cookies can't be transferred in one setup: the widget uses only points on the page's own site, and those never receive another site's cookies.",
  wrong: 'page on example.com, cookies of example.com and of example.net',
  right: 'page on example.com, cookies of example.com only',
  fix: 'Remove the cookies of other sites, or list the pages of those sites.',
  reference: {
    text: 'HTML Standard, same site',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#same-site',
  },
  needs: { facts: ['cookies', 'pages'] },
  evaluate: (facts) => {
    const ruling = judge(facts)
    const [foreign] = ruling.outcome === 'fail' ? findForeign(facts) : []
    return [onSetting('cookies', ruling, foreign?.config.location)]
  },
}

function judge(facts: Facts): Ruling {
  const { cookies } = facts
  const scopes = cookies.flatMap(({ judged }) => judged.scope ?? [])
  const foreign = findForeign(facts).flatMap(({ judged }) => judged.scope ?? [])
  if (foreign.length === 0 || foreign.length === scopes.length) return pass
  const names = [...new Set(foreign.map(({ name }) => name))]
  const sites = [...new Set(foreign.map(({ host }) => toSite(host)))]
  return fail(
    `${foreign.length} of ${scopes.length} cookies don't belong to the site of any page: ${toList(names)}`,
    `Remove ${toList(names)} from "cookies", or add a page on ${toList(sites)} to "pages"`,
    { names: names.slice(0, 20), sites: sites.slice(0, 20) },
  )
}

/** The cookies that belong to no page's site. */
function findForeign({ cookies, pagesBySite }: Facts): readonly CookieFact[] {
  return cookies.filter(
    ({ judged: { scope } }) => scope !== undefined && !pagesBySite.has(toSite(scope.host)),
  )
}

function toList(words: readonly string[]): string {
  return words.length <= 3 ? words.join(', ') : `${words.slice(0, 3).join(', ')} and ${words.length - 3} more`
}
