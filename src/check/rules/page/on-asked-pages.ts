import type { Facts, ReadablePage } from '../../facts.ts'
import type { PageVisit } from '../../read/page-visit.ts'
import { onReadablePages, type Rule, type Ruling, skip } from '../../rule.ts'

/** Judges what every page answered; no entry at all when nobody was asked. */
export function onAskedPages(
  judge: (page: ReadablePage, answer: PageVisit, facts: Facts) => Ruling,
): Rule['evaluate'] {
  return (facts) => {
    const { pageVisits } = facts
    if (pageVisits === undefined || facts.pages.length === 0) return []
    const answers = new Map([...pageVisits].map(([page, answer]) => [page.location, answer]))
    return onReadablePages((page) => {
      const answer = answers.get(page.location)
      return answer === undefined ? skip('the page was not asked') : judge(page, answer, facts)
    })(facts)
  }
}
