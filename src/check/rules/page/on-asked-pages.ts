import type { Facts, ReadablePage } from '../../facts.ts'
import type { PageAnswer } from '../../read/page-answer.ts'
import { onReadablePages, type Rule, type Ruling, skip } from '../../rule.ts'

/** Judges what every page answered; no entry at all when nobody was asked. */
export function onAskedPages(
  judge: (page: ReadablePage, answer: PageAnswer, facts: Facts) => Ruling,
): Rule['evaluate'] {
  return (facts) => {
    const { pageAnswers } = facts
    if (pageAnswers === undefined || facts.pages.length === 0) return []
    const answers = new Map([...pageAnswers].map(([page, answer]) => [page.location, answer]))
    return onReadablePages((page) => {
      const answer = answers.get(page.location)
      return answer === undefined ? skip('the page was not asked') : judge(page, answer, facts)
    })(facts)
  }
}
