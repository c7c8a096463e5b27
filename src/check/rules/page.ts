import { parseUrl } from '../../http/url.ts'
import type { Facts, PageFact, Readable } from '../facts.ts'
import type { Fix } from '../fix.ts'
import { type ParsedUrl, parseKnownUrl } from '../parsed-url.ts'
import { readArrival } from '../read/arrival.ts'
import { findBlocked } from '../read/content-policy.ts'
import type { LiveFact, Observation } from '../read/live-fact.ts'
import { verificationReply } from '../read/observations.ts'
import type { PageVisit } from '../read/page-visit.ts'
import { isAddedRedirect, isLoginUrl, isRedirectToItself, redirectLocation } from '../read/redirect.ts'
import { escapeAndCut, redactAddress } from '../read/reply.ts'
import { cite, fail, failAsRule, inconclusive, pass, type RulesById, type Ruling, skip } from '../rule.ts'
import { eachPage, eachReadablePage, eachVisitedPage } from '../subjects.ts'
import { guessUrl, proposeAdding } from '../url-fixes.ts'

/** Rules on pages: their URLs, and what visitors get there. */
export const pageRules: RulesById = {
  'page/invalid': {
    title: 'The page is an absolute http or https URL',
    why: 'Pages say where sessions start. A URL that no page can have gives neither a site nor an origin.',
    wrong: 'www.example.com',
    right: 'https://www.example.com/',
    fix: 'Write the page with its scheme and host, without credentials.',
    reference: cite('URL Standard', 'url-writing', 'URL writing'),
    evaluate: eachPage(({ fault, shown }) => {
      if (fault === undefined) return pass
      const meant = guessUrl(shown)
      const fix = meant === undefined ? 'Write it as https://HOST/, without credentials' : `Write ${meant}`
      return fail(`This can't be the URL of a page: ${fault}`, fix)
    }),
  },
  'page/no-point': {
    title: 'A point is on the origin of the page',
    why: 'Each place where the widget is used needs a continuation point: each host, and http separately from https. Points of other hosts get no cookie that is set for the page’s host alone.',
    wrong: 'page https://shop.example.com/, the only point https://www.example.com/service_cookie_transfer/',
    right: 'page https://shop.example.com/, a point https://shop.example.com/service_cookie_transfer/',
    fix: "Add a point on the page's own scheme, host and port.",
    reference: cite('HTML Standard', 'origin', 'origin'),
    needs: { rules: ['page/invalid'] },
    evaluate: (facts) => {
      const origins = new Set(facts.points.flatMap(({ point }) => point?.origin ?? []))
      return eachReadablePage(({ parsed }) => {
        const what = `There is no point on ${parsed.origin}, the origin of this page`
        return origins.has(parsed.origin) ? pass : fail(what, proposePoint(parsed, facts, origins))
      })(facts)
    },
  },
  'page/root-point': {
    severity: 'info',
    title: 'A point is on the path / of the page’s origin',
    why: 'The service’s verification page of an origin is below its path /. With points on cookie paths alone it can’t be opened, and no point carries cookies of other paths.',
    wrong:
      'page https://www.example.com/, the only point https://www.example.com/shop/service_cookie_transfer/',
    right: 'page https://www.example.com/, a point https://www.example.com/service_cookie_transfer/ too',
    fix: "Add a point on the page's origin, without a cookie path.",
    needs: { rules: ['page/no-point'] },
    evaluate: (facts) => {
      const urls = new Set(facts.points.flatMap(({ point }) => point?.url ?? []))
      return eachReadablePage(({ parsed }) => {
        const url = `${parsed.origin}${facts.prefix}`
        if (urls.has(url)) return pass
        return fail(`Every point on ${parsed.origin} has a cookie path`, proposeAdding(url, facts))
      })(facts)
    },
  },
  'page/back-transfer': {
    severity: 'warning',
    title: 'With back-transfer, every page is on the service’s site',
    why: 'A browser accepts returned cookies only from a host of the same site. On pages of another site than that of the service, changed cookies are lost when the session ends.',
    wrong: '"backTransfer": true, service https://cobrowse.example.com, pages on example.com and example.net',
    right: 'a config for each site, with a service.url below its domain',
    fix: 'Have the service run under the domain of this page too, and write a config of its own for it.',
    reference: cite('RFC 6265bis', '5.7', 'storage model'),
    needs: { facts: ['backTransfer', 'service'], rules: ['page/invalid'] },
    evaluate: eachReadablePage(({ parsed }, { service, pagesBySite }) => {
      if (service === undefined || service.parsed.site === parsed.site) return pass
      if (!pagesBySite.has(service.parsed.site)) return skip('no page is on the site of the service')
      return fail(
        `Changed cookies don't return to this page: it is not on the service's site, ${service.parsed.site}`,
        `Move the page into a config of its own, with a "service.url" below ${parsed.site}`,
      )
    }),
  },
  'page/unreachable': {
    severity: 'warning',
    title: 'The page answers',
    why: 'Sessions start on this page, and its widget, its content security policy and its cookies can be checked only if it answers. A page that fails or redirects may not be the one that visitors see.',
    wrong: '"pages": ["https://www.example.com/old-start"], which answers 404',
    right: '"pages": ["https://www.example.com/"]',
    fix: 'List a page in "pages" that visitors see without logging in, or bring this one back.',
    needs: { rules: ['page/invalid'] },
    needsPageVisits: true,
    evaluate: eachVisitedPage((page, answer, { pages, live }) => {
      const there = [...(live?.values() ?? [])].filter(({ point }) => point.origin === page.parsed.origin)
      const url = answer.kind === 'response' ? answer.url : answer.kind === 'redirect' ? answer.to : undefined
      const isSaid = there.some((fact) => url === undefined || hasSameFault(answer, url, fact))
      if (isSaid) return skip('the findings of a point on its origin say why')
      if (answer.kind === 'response') return judgeAnswer(page, answer, pages)
      if (answer.kind === 'redirect') return judgeRedirect(page, answer)
      const message = `The page does not answer: ${answer.why}`
      return answer.isConclusive ? failAsRule(message) : inconclusive(message)
    }),
  },
  'page/widget': {
    severity: 'warning',
    title: 'The widget is in the page',
    why: "Sessions start from the widget in the page, and it is the widget that calls the points. Only the HTML is read and no script is run, so a widget that a tag manager or a bundle adds later can't be seen.",
    wrong: 'the widget code inside <!-- … -->, or left out of the new template',
    right: 'the widget code from the integration panel, with the widget key of the config',
    fix: 'Write in "pages" the URL of a page that has the widget, or paste the widget code from the integration panel here.',
    needs: { facts: ['service'], rules: ['page/unreachable'] },
    needsPageVisits: true,
    evaluate: eachVisitedPage(({ shown }, answer) => {
      if (answer.kind !== 'response' || answer.status >= 400) return skip('the page gave no answer')
      const { widget, unread } = answer
      if (widget.kind === 'there') return pass
      if (unread !== undefined) return inconclusive(`The HTML of the page could not be read: ${unread}`)
      if (widget.kind === 'perhaps') {
        return inconclusive(
          `The widget isn't in the HTML of the page; ${escapeAndCut(widget.loader)} may load it, which only a browser can tell`,
        )
      }
      return failAsRule("The widget isn't in this page, and there is no script in it that could load one", {
        sent: `GET ${shown}`,
        arrived: 'HTML without the widget key and without a script of the service',
      })
    }),
  },
  'page/csp': {
    severity: 'warning',
    title: "The page's content security policy lets the widget call the points",
    why: "The widget calls the points with fetch, and the browser blocks calls that the page's policy doesn't allow. What counts is connect-src, or default-src where there is no connect-src.",
    wrong: "Content-Security-Policy: default-src 'none'; script-src https://cobrowse.example.net",
    right: "Content-Security-Policy: …; connect-src 'self' https://cobrowse.example.net",
    fix: 'Add the origin of the points to connect-src.',
    reference: cite('Content Security Policy Level 3', 'directive-connect-src', 'connect-src'),
    needs: { rules: ['page/unreachable'] },
    needsPageVisits: true,
    evaluate: eachVisitedPage(({ parsed }, answer, facts) => {
      if (answer.kind !== 'response' || answer.status >= 400) return skip('the page gave no answer')
      const page = new URL(answer.url)
      // The widget uses the points of the page's site.
      const points = facts.points.flatMap(({ point, parsed: own }) =>
        own?.site === parsed.site && point !== undefined ? new URL(point.url) : [],
      )
      const { policies } = answer
      if (policies.join().length > MOST_POLICY_CHARACTERS)
        return inconclusive(
          `The page's content security policy is longer than ${MOST_POLICY_CHARACTERS / 1024} KiB, so it was not judged`,
        )
      for (const policy of policies) {
        const { directive, blocked } = findBlocked(policy, page, points)
        if (blocked.length === 0) continue
        const origins = [...new Set(blocked.map(({ origin }) => origin))]
        const sources = origins.map((origin) => (origin === page.origin ? "'self'" : origin)).join(' ')
        return fail(
          `The page's content security policy blocks the widget's calls to ${origins.join(', ')}`,
          `Add ${sources} to connect-src in this page's policy, and keep what it lists already`,
          { expected: `connect-src ${sources}`, arrived: escapeAndCut(directive) },
        )
      }
      return answer.unread === undefined
        ? pass
        : inconclusive(`The HTML of the page, which may have a policy, could not be read: ${answer.unread}`)
    }),
  },
}

// Moving the page to https comes first, since a point on http would be a finding of its own.
function proposePoint(page: ParsedUrl, facts: Facts, origins: ReadonlySet<string>): Fix {
  const url = `${page.origin}${facts.prefix}`
  if (page.scheme === 'https' || page.loopback) return proposeAdding(url, facts)
  const secure = parseKnownUrl(page.url.replace(/^http:/, 'https:'))
  const add = origins.has(secure.origin) ? '' : `, and add ${secure.origin}${facts.prefix} to "points"`
  const plain = `as long as it is on http, its point is ${url}`
  const move = `Serve the page over https: write ${secure.url} in place of ${page.url} in "pages"`
  return { what: `${move}${add}; ${plain}`, url }
}

function judgeAnswer(
  { shown, parsed }: Readable<PageFact>,
  { status, url }: Extract<PageVisit, { readonly kind: 'response' }>,
  pages: readonly PageFact[],
): Ruling {
  const to = new URL(url)
  const isElsewhere = url !== parsed.url
  if (status === 401) return rejectLogin('it answers 401')
  if (isElsewhere && isLoginUrl(to) && !isLoginUrl(new URL(parsed.url)))
    return rejectLogin(`to ${to.pathname}`)
  if (status === 429)
    return inconclusive('The page answers 429, too many requests: try again later, or let the check through')
  if (status >= 400) {
    const where = isElsewhere ? `, at ${redactAddress(url)}` : ''
    return failAsRule(`The page answers ${status}${where}`, { sent: `GET ${shown}`, arrived: status })
  }
  if (to.origin === parsed.origin) return pass
  const isListed = pages.some((page) => page.parsed?.origin === to.origin)
  const write = `Write ${redactAddress(url)} in place of ${shown} in "pages"`
  const failure = fail(
    `The page redirects to ${to.origin}, so no session starts on ${parsed.origin}`,
    isListed ? 'Remove this page from "pages"' : write,
    { sent: `GET ${shown}`, arrived: `redirect to ${redactAddress(url)}` },
  )
  return { ...failure, severity: 'info' }
}

function judgeRedirect(
  { shown }: Readable<PageFact>,
  { to, end, cookies }: Extract<PageVisit, { readonly kind: 'redirect' }>,
): Ruling {
  const { origin } = new URL(to)
  const evidence = { sent: `GET ${shown}`, arrived: `redirect to ${redactAddress(to)}` }
  if (end === 'other-site') {
    if (isLoginUrl(new URL(to))) return rejectLogin(`at ${origin}`)
    return fail(
      `The page redirects to another site, ${origin}`,
      `List the page that visitors end up on, ${redactAddress(to)}, in "pages" in place of ${shown}, and give its site points`,
      evidence,
    )
  }
  const message = end === 'circle' ? 'The page redirects in a circle' : 'The page redirects more than 5 times'
  // The check keeps no cookies, and a site that sets one and redirects until it comes back does so only to such visitors.
  if (cookies.length > 0) return inconclusive(`${message} for a visitor without cookies`)
  return fail(message, `Stop the redirect to ${redactAddress(to)}, or list another page in "pages"`, evidence)
}

/** Whether the point has the same fault, the whole site's: a circle too, the same other host, or the same error. */
function hasSameFault(answer: PageVisit, url: string, fact: LiveFact): boolean {
  const { observations, point } = fact
  const added = observations.filter(isAddedRedirect)
  const isCircle = answer.kind === 'redirect' && answer.end === 'circle'
  if (isCircle && added.some((each) => isRedirectToItself(each, point))) return true
  const { origin, host } = new URL(url)
  const leadsThere = ({ reply }: Observation) =>
    parseUrl(redirectLocation(reply) ?? '', point.url)?.host === host
  if (origin !== point.origin && added.some(leadsThere)) return true
  const status = answer.kind === 'response' ? answer.status : 0
  const reply = verificationReply(fact)
  if (status < 400 || reply?.kind !== 'response') return false
  return reply.status === status && readArrival(fact).kind === 'stranger'
}

function rejectLogin(where: string): Ruling {
  return inconclusive(
    `The page asks visitors to log in (${where}), so what they see after that can't be checked`,
  )
}

const MOST_POLICY_CHARACTERS = 65_536
