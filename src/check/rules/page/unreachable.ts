import { fail, inconclusive, pass, type Rule, skip } from '../../rule.ts'
import { onAskedPages } from './on-asked-pages.ts'

export const unreachable: Rule = {
  id: 'page/unreachable',
  severity: 'warning',
  title: 'The page answers',
  why: 'Sessions start on this page. Where it does not answer, its cookies and its content security policy could not be looked at, and perhaps it is not the page that visitors see.',
  wrong: '"pages": ["https://www.example.com/old-start"], which answers 404',
  right: '"pages": ["https://www.example.com/"]',
  fix: 'Name a page that answers, or bring the page back.',
  reference: undefined,
  needs: { rules: ['page/invalid'] },
  looksAtPages: 'yes',
  phase: 'judge',
  evaluate: onAskedPages(({ shown, place }, answer, { points, live }) => {
    if (answer.kind === 'none') {
      const isAsked = points.some(({ point }) => point?.origin === place.origin)
      if (live !== undefined && isAsked) return skip('a point on its origin tells why')
      const message = `The page does not answer: ${answer.why}`
      return answer.isTold === 'yes' ? fail(message, FIX) : inconclusive(message)
    }
    const { status } = answer
    if (status < 400) return pass
    return fail(`The page answers ${status}`, FIX, { sent: `GET ${shown}`, arrived: status })
  }),
}

const FIX = 'Name a page in "pages" that visitors see without a login, or bring this one back'
