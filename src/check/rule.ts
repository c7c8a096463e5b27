import type { Location } from '../config/problem.ts'
import type { CookieFact, Facts, PageFact, PointFact, ReadablePage, ReadablePoint } from './facts.ts'
import type { Severity, Subject } from './finding.ts'

/** One thing that can be wrong. Its texts are what `explain` and every report show. */
export interface Rule {
  /** `group/kebab-name`; never changes. */
  readonly id: string
  readonly severity: Severity
  /** What holds when the rule passes, as one sentence without full stop. */
  readonly title: string
  readonly why: string
  readonly wrong: string
  readonly right: string
  readonly fix: string
  /** The law behind it, where there is one. */
  readonly reference: { readonly text: string; readonly url: string } | undefined
  /** Rules that must not have failed on the same subject; else this one is skipped there. */
  readonly after: readonly string[]
  /** `review`: looks at what the other rules and the suppressions gave. */
  readonly phase: 'judge' | 'review'
  evaluate(facts: Facts): readonly Judgement[]
}

/** What a rule says of one subject. */
export type Ruling =
  | { readonly outcome: 'pass' }
  | {
      readonly outcome: 'fail'
      readonly message: string
      readonly fix: string
      readonly evidence?: Readonly<Record<string, unknown>>
      /** The URL that the fix writes in place of the point's. */
      readonly corrected?: string | undefined
      /** Where this failure is milder than the rule; it then stands in no other rule's way. */
      readonly severity?: Severity
    }
  | {
      readonly outcome: 'skipped' | 'inconclusive'
      readonly message: string
      /** The id of the rule whose failure stands in the way. */
      readonly because?: string
    }

export type Judgement = Ruling & { readonly subject: Subject; readonly location: Location | undefined }

export const pass: Ruling = { outcome: 'pass' }

export function fail(message: string, fix: string, evidence: Readonly<Record<string, unknown>> = {}): Ruling {
  return { outcome: 'fail', message, fix, evidence }
}

export function skip(message: string): Ruling {
  return { outcome: 'skipped', message }
}

/** The ruling of a rule whose evidence another rule's failure spoiled. */
export function because(id: string): Ruling {
  return { outcome: 'skipped', message: `because ${id} failed`, because: id }
}

type Evaluate = Rule['evaluate']

/** Judges every point. */
export function onPoints(judge: (point: PointFact, facts: Facts) => Ruling): Evaluate {
  return (facts) =>
    facts.points.map((point) => ({
      ...judge(point, facts),
      subject: { point: point.shown },
      location: point.location,
    }))
}

/** Judges every point whose URL could be read. */
export function onReadablePoints(judge: (point: ReadablePoint, facts: Facts) => Ruling): Evaluate {
  return onPoints((point, facts) =>
    isReadable(point) ? judge(point, facts) : skip('the URL of the point could not be read'),
  )
}

/** Judges every readable point against the pages; skipped where no page is known. */
export function onPointsOfPages(judge: (point: ReadablePoint, facts: Facts) => Ruling): Evaluate {
  return onReadablePoints((point, facts) => skipWithoutPages(facts) ?? judge(point, facts))
}

/** Why a rule that needs pages can't judge, if it can't. */
export function skipWithoutPages({ pages, pagesBySite }: Facts): Ruling | undefined {
  if (pages.length === 0) return skip('no pages are given')
  return pagesBySite.size === 0 ? skip('no page has a URL that can be read') : undefined
}

/** Judges every page; one skipped entry where none is given. */
export function onPages(judge: (page: PageFact, facts: Facts) => Ruling): Evaluate {
  return (facts) => {
    if (facts.pages.length === 0) return [onSetting('pages', skip('no pages are given'), undefined)]
    return facts.pages.map((page) => ({
      ...judge(page, facts),
      subject: { page: page.shown },
      location: page.location,
    }))
  }
}

/** Judges every page whose URL could be read. */
export function onReadablePages(judge: (page: ReadablePage, facts: Facts) => Ruling): Evaluate {
  return onPages((page, facts) =>
    page.place === undefined
      ? skip('the URL of the page could not be read')
      : judge({ ...page, place: page.place }, facts),
  )
}

/** Judges every cookie; one skipped entry where none is listed. */
export function onCookies(judge: (cookie: CookieFact, facts: Facts) => Ruling): Evaluate {
  return (facts) => {
    if (facts.cookies.length === 0) return [onSetting('cookies', skip('no cookies are listed'), undefined)]
    return facts.cookies.map((cookie) => {
      const { name, domain, path } = cookie.config
      return {
        ...judge(cookie, facts),
        subject: { cookie: { name, domain, path } },
        location: cookie.config.location,
      }
    })
  }
}

/** The judgement of one setting; its name is the path of its keys, `service.url`. */
export function onSetting(setting: string, ruling: Ruling, location: Location | undefined): Judgement {
  return { ...ruling, subject: { setting }, location }
}

function isReadable(point: PointFact): point is ReadablePoint {
  return point.place !== undefined
}
