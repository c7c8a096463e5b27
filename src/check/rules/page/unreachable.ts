import { canParseUrl } from '../../../http/can-parse-url.ts'
import type { PageFact, ReadablePage } from '../../facts.ts'
import { readArrival } from '../../read/arrival.ts'
import { type LiveFact, verificationReply } from '../../read/live-fact.ts'
import type { PageVisit } from '../../read/page-visit.ts'
import { isAddedRedirect, isLoginUrl, redirectLocation } from '../../read/redirect.ts'
import { toShownText, toShownUrl } from '../../read/shown-text.ts'
import { fail, inconclusive, pass, type Rule, type Ruling, skip } from '../../rule.ts'
import { onVisitedPages } from '../subjects.ts'

export const unreachable: Rule = {
  id: 'page/unreachable',
  severity: 'warning',
  title: 'The page answers',
  why: 'Sessions start on this page, and its widget, its content security policy and its cookies can be checked only if it answers. A page that fails or redirects may not be the one that visitors see.',
  wrong: '"pages": ["https://www.example.com/old-start"], which answers 404',
  right: '"pages": ["https://www.example.com/"]',
  fix: 'List a page that answers, or bring this one back.',
  needs: { rules: ['page/invalid'] },
  needsPageVisits: true,
  evaluate: onVisitedPages((page, answer, { pages, live }) => {
    const there = [...(live?.values() ?? [])].filter(({ point }) => point.origin === page.parsed.origin)
    const url = answer.kind === 'response' ? answer.url : answer.kind === 'redirect' ? answer.to : undefined
    const isSaid =
      url === undefined
        ? there.length > 0
        : there.some((fact) => isSentTo(url, fact) || isStopped(answer, fact))
    if (isSaid) return SAID_BY_POINT
    if (answer.kind === 'response') return judgeAnswer(page, answer, pages)
    if (answer.kind === 'redirect') return judgeRedirect(page, answer)
    const message = `The page does not answer: ${answer.why}`
    return answer.isConclusive ? fail(message, FIX) : inconclusive(message)
  }),
}

function judgeAnswer(
  { shown, parsed }: ReadablePage,
  { status, url }: Extract<PageVisit, { readonly kind: 'response' }>,
  pages: readonly PageFact[],
): Ruling {
  const to = new URL(url)
  const isElsewhere = url !== parsed.url
  if (status === 401) return toLogin('it answers 401')
  if (isElsewhere && isLoginUrl(to) && !isLoginUrl(new URL(parsed.url))) return toLogin(`to ${to.pathname}`)
  if (status === 429) {
    return inconclusive('The page answers 429, too many requests: try again later, or let the check through')
  }
  if (status >= 400) {
    const where = isElsewhere ? `, at ${toShown(url)}` : ''
    return fail(`The page answers ${status}${where}`, FIX, { sent: `GET ${shown}`, arrived: status })
  }
  if (to.origin === parsed.origin) return pass
  const isListed = pages.some((page) => page.parsed?.origin === to.origin)
  return {
    outcome: 'fail',
    message: `The page redirects to ${to.origin}, so no session starts on ${parsed.origin}`,
    fix: isListed ? 'Remove this page from "pages"' : `Write ${toShown(url)} in place of ${shown} in "pages"`,
    evidence: { sent: `GET ${shown}`, arrived: `redirect to ${toShown(url)}` },
    severity: 'info',
  }
}

function judgeRedirect(
  { shown }: ReadablePage,
  { to, end, cookies }: Extract<PageVisit, { readonly kind: 'redirect' }>,
): Ruling {
  const { origin } = new URL(to)
  if (end === 'other-site') {
    if (isLoginUrl(new URL(to))) return toLogin(`at ${origin}`)
    return fail(
      `The page redirects to another site, ${origin}`,
      `List the page that visitors end up on, ${toShown(to)}, in "pages" in place of ${shown}, and give its site points`,
      { sent: `GET ${shown}`, arrived: `redirect to ${toShown(to)}` },
    )
  }
  const message = end === 'circle' ? 'The page redirects in a circle' : 'The page redirects more than 5 times'
  // The check keeps no cookies, and a site that sets one and redirects until it comes back does so only to such visitors.
  if (cookies.length > 0) return inconclusive(`${message} for a visitor without cookies`)
  return fail(message, `Stop the redirect to ${toShown(to)}, or list another page in "pages"`, {
    sent: `GET ${shown}`,
    arrived: `redirect to ${toShown(to)}`,
  })
}

/** Whether the point gets the same error instead of the service's answer: then the fault is the whole site's. */
function isStopped(answer: PageVisit, fact: LiveFact): boolean {
  const status = answer.kind === 'response' ? answer.status : 0
  const reply = verificationReply(fact)
  return (
    status >= 400 &&
    reply?.kind === 'response' &&
    reply.status === status &&
    readArrival(fact).kind === 'stranger'
  )
}

/** Whether the point is redirected to the same other host: then the fault is the whole site's. */
function isSentTo(url: string, { observations, point }: LiveFact): boolean {
  if (new URL(url).origin === point.origin) return false
  return observations.some((observation) => {
    const location = isAddedRedirect(observation) ? redirectLocation(observation.reply) : undefined
    if (location === undefined || !canParseUrl(location, point.url)) return false
    return new URL(location, point.url).host === new URL(url).host
  })
}

function toLogin(where: string): Ruling {
  return inconclusive(
    `The page asks visitors to log in (${where}), so what they see after that can't be checked`,
  )
}

function toShown(url: string): string {
  return toShownText(toShownUrl(url))
}

const SAID_BY_POINT = skip('the findings of a point on its origin say why')

const FIX = 'List a page in "pages" that visitors see without logging in, or bring this one back'
