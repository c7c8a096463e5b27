import type { Location } from '../config/problem.ts'
import type { CookieFact, Facts, PageFact, PointFact, Readable } from './facts.ts'
import type { Located } from './finding.ts'
import { type LiveFact, openAddress } from './read/live-fact.ts'
import type { PageVisit } from './read/page-visit.ts'
import { type Case, type Rule, type Ruling, skip } from './rule.ts'

type Evaluate = Rule['evaluate']

export function eachPoint(judge: (point: PointFact, facts: Facts) => Ruling): Evaluate {
  return (facts) => facts.points.map((point) => ({ ...pointCase(point), judge: () => judge(point, facts) }))
}

export function eachReadablePoint(judge: (point: Readable<PointFact>, facts: Facts) => Ruling): Evaluate {
  return eachPoint((point, facts) =>
    isReadable(point) ? judge(point, facts) : skip('the URL of the point could not be read'),
  )
}

/** Judges every page; one skipped case if there are none. */
export function eachPage(judge: (page: PageFact, facts: Facts) => Ruling): Evaluate {
  return (facts) => {
    if (facts.pages.length === 0) return [onSetting('pages', skip('no pages are given'))]
    return facts.pages.map((page) => ({ ...pageCase(page), judge: () => judge(page, facts) }))
  }
}

export function eachReadablePage(judge: (page: Readable<PageFact>, facts: Facts) => Ruling): Evaluate {
  return eachPage((page, facts) =>
    isReadable(page) ? judge(page, facts) : skip('the URL of the page could not be read'),
  )
}

/** Judges every cookie; one skipped case if there are none. */
export function eachCookie(judge: (cookie: CookieFact, facts: Facts) => Ruling): Evaluate {
  return (facts) => {
    if (facts.cookies.length === 0) return [onSetting('cookies', skip('the config lists no "cookies"'))]
    return facts.cookies.map((cookie) => ({ ...cookieCase(cookie), judge: () => judge(cookie, facts) }))
  }
}

/** The case of one setting; its name is the path of its keys, `service.url`. */
export function onSetting(setting: string, ruling: Ruling, location?: Location): Case {
  return { subject: { setting }, location, judge: () => ruling }
}

export function cookieCase({ config: { name, domain, path, location } }: CookieFact): Located {
  return { subject: { cookie: { name, domain, path } }, location }
}

export function pointCase({ shown, location }: PointFact): Located {
  return { subject: { point: shown }, location }
}

export function pageCase({ shown, location }: PageFact): Located {
  return { subject: { page: shown }, location }
}

function isReadable<Fact extends PointFact | PageFact>(fact: Fact): fact is Readable<Fact> {
  return fact.parsed !== undefined
}

/** Judges the observations of every point; no case if the check is offline. `toSettings`: those that affect a point. */
export function eachLivePoint(
  judge: (fact: LiveFact, facts: Facts) => Ruling,
  toSettings: (facts: Facts, index: number) => readonly Located[] = () => [],
): Evaluate {
  return (facts) => {
    const { points, live } = facts
    if (live === undefined) return []
    return points.map((point, index) => {
      const about = { ...pointCase(point), settings: toSettings(facts, index) }
      const fact = live.get(point)
      if (fact === undefined) return { ...about, judge: () => skip('the point was not asked') }
      return { ...about, live: fact, judge: () => judgeEverywhere(fact, (at) => judge(at, facts)) }
    })
  }
}

/** What fails at one of the addresses fails for the visitors who get that one. */
function judgeEverywhere(fact: LiveFact, judge: (fact: LiveFact) => Ruling): Ruling {
  const ruling = judge(fact)
  if (ruling.outcome === 'fail') return ruling
  for (const other of fact.elsewhere ?? []) {
    const there = judge(other)
    if (there.outcome !== 'fail') continue
    const address = openAddress(other.reach) ?? ''
    const otherwise = `take ${address} out of DNS if it is retired`
    const message = `At ${address}, not at ${openAddress(fact.reach)}: ${there.message}`
    return { ...there, message, fix: { ...there.fix, otherwise }, evidence: { ...there.evidence, address } }
  }
  return ruling
}

/** Judges the visit to every page; no case if no pages were visited. */
export function eachVisitedPage(
  judge: (page: Readable<PageFact>, visit: PageVisit, facts: Facts) => Ruling,
): Evaluate {
  return (facts) => {
    const { pageVisits } = facts
    if (pageVisits === undefined || facts.pages.length === 0) return []
    return eachReadablePage((page) => {
      const visit = pageVisits.get(page)
      return visit === undefined ? skip('the page was not visited') : judge(page, visit, facts)
    })(facts)
  }
}
