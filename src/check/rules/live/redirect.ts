import { valuesOf } from '../../../http/fields.ts'
import { parseUrl } from '../../../http/url.ts'
import type { Point } from '../../../points/point.ts'
import type { ProbeResponse } from '../../../probe/probe.ts'
import { toSite } from '../../../site/site.ts'
import type { Facts } from '../../facts.ts'
import type { Fix } from '../../fix.ts'
import { explainUnclear } from '../../read/contrast.ts'
import type { LiveFact, Observation } from '../../read/live-fact.ts'
import { isVouched, observationsFor, vouchedOf } from '../../read/observations.ts'
import { isAddedRedirect, isLoginUrl, isRedirectToItself, redirectLocation } from '../../read/redirect.ts'
import { describeReply, escapeAndCut, isConclusive, redactAddress } from '../../read/reply.ts'
import { STAND_IN } from '../../read/stand-in.ts'
import { cite, fail, inconclusive, pass, passAs, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

export const redirectRules: RulesById = {
  'live/redirect': {
    title: "The service's redirects come back unchanged, and none are added",
    why: "The widget follows the service's redirects itself. A web server or proxy that follows them swallows the cookies of each hop; one that rewrites Location, or adds a redirect of its own (https, slash, www, login), sends the widget elsewhere.",
    wrong: 'nginx with its default proxy_redirect, or a rule that adds a slash to every URL',
    right: 'nginx: proxy_redirect off; and the point placed before every redirecting rule',
    fix: 'Turn off following and rewriting of redirects for the point, and put it before every other rule of the site.',
    remedy: (advice) => advice.keepLocation,
    reference: cite('RFC 9110', '15.4', 'redirection'),
    needs: { rules: ['live/forwarded'], answers: ['redirect'] },
    evaluate: eachLivePoint((fact, facts) => {
      const added = fact.observations.find(isAddedRedirect)
      return added === undefined ? judgeOwn(fact, facts.prefix) : failAdded(fact, added, facts)
    }),
  },
}

/** Judges the redirect that the service was asked for. */
function judgeOwn(fact: LiveFact, prefix: string): Ruling {
  const [asked] = observationsFor(fact, 'redirect')
  if (asked === undefined) return isVouched(fact) ? judgeVouched(fact) : inconclusive(explainUnclear(fact))
  const { reply } = asked
  if (reply.kind === 'none') {
    const message = `The redirect of the service does not come back: ${describeReply(reply)}`
    if (!isConclusive(reply)) return inconclusive(message)
    return fail(
      message,
      `Look at the log of the server on ${fact.point.authority}: it drops a request that the service answers with a redirect`,
      { noAnswer: reply.cause },
    )
  }
  const answer = reply.standIn
  if (answer?.received.target.includes(STAND_IN.redirectPath)) {
    const message = 'Your web server or proxy followed a redirect of the service instead of returning it'
    return fail(message, FOLLOWED, { status: reply.status, arrived: escapeAndCut(answer.received.target) })
  }
  const host = answer?.received.host ?? fact.serviceAuthority
  const expected = `http://${host}${prefix}${STAND_IN.redirectPath}`
  const locations = valuesOf(reply.fields, 'location')
  if (reply.status === 302 && locations.length === 1 && locations[0] === expected) return pass
  const evidence = { sent: 302, arrived: reply.status }
  if (redirectLocation(reply) === undefined)
    return fail('A redirect of the service did not come back as a redirect', FOLLOWED, evidence)
  if (reply.status === 302) return failRewritten(expected, reply)
  return fail(
    `Your web server or proxy changed the status of a redirect from 302 to ${reply.status}`,
    'Return the status of a redirect unchanged',
    evidence,
  )
}

/** Judges the redirects that the service happened to answer with, by what continuation-point passed back. */
function judgeVouched(fact: LiveFact): Ruling {
  const passed = fact.observations.flatMap((each) => {
    const vouched = vouchedOf(each)
    return vouched === undefined || each.reply.kind === 'none' ? [] : [{ ...vouched, reply: each.reply }]
  })
  const changed = passed.find(({ status, reply }) => status !== reply.status)
  if (changed !== undefined) {
    const { status, reply } = changed
    return fail(
      `Your web server or proxy changed the status of an answer from ${status} to ${reply.status}`,
      'Return the status of every answer unchanged: no error pages and no redirects of its own below the point',
      { sent: status, arrived: reply.status },
    )
  }
  const rewritten = passed.find(({ locations, reply }) => {
    return !locations.isWhole || valuesOf(reply.fields, 'location').length !== locations.passed
  })
  if (rewritten !== undefined) return failRewritten('as the service sent it', rewritten.reply)
  return passed.some(({ locations }) => locations.passed > 0)
    ? pass
    : passAs('Your web server or proxy adds no redirects; the service sent none that it could have changed')
}

function failRewritten(sent: string, { fields }: ProbeResponse): Ruling {
  return fail(
    'Your web server or proxy rewrote the Location of a redirect',
    { what: 'Leave Location unchanged', remedy: (advice) => advice.keepLocation },
    { sent, arrived: valuesOf(fields, 'location').map(escapeAndCut) },
  )
}

function failAdded({ point }: LiveFact, observation: Observation, facts: Facts): Ruling {
  const { question, reply } = observation
  const location = redirectLocation(reply) ?? ''
  const asked = new URL(`${point.url}${question.rest}`)
  const [kind, fix] = isRedirectToItself(observation, point)
    ? ['to the same URL again', diagnoseCircle(point, facts)]
    : diagnoseRedirect(point, asked, location)
  const whole: Fix = { remedy: (advice) => advice.except(point.path), ...fix }
  return fail(`Your web server or proxy answers with a redirect of its own, ${kind}`, whole, {
    sent: `${question.method} ${asked.pathname}`,
    arrived: `${reply.kind === 'response' ? reply.status : ''} Location: ${redactAddress(location)}`,
  })
}

/** If pages of the origin are redirected in a circle too, it is not the path. */
function diagnoseCircle({ scheme, origin, path }: Point, { pageVisits }: Facts): Fix {
  const withSlash = `${path} with the slash at its end: the next server asks for one`
  const visits = [...(pageVisits ?? [])].filter(([page]) => page.parsed?.origin === origin)
  const isWholeSite = visits.some(([, visit]) => visit.kind === 'redirect' && visit.end === 'circle')
  if (scheme === 'http' || (visits.length > 0 && !isWholeSite))
    return { what: `Forward ${withSlash}`, remedy: (advice) => advice.keepLastSlash }
  return {
    what: 'Tell the next server that the visitor uses https: without X-Forwarded-Proto it takes each request for one on http, and redirects it to https',
    otherwise: isWholeSite ? undefined : `forward ${withSlash}`,
    remedy: (advice) => advice.sendScheme(scheme),
  }
}

/** The kind of a redirect, and what to change. */
function diagnoseRedirect({ path }: Point, asked: URL, location: string): readonly [kind: string, fix: Fix] {
  const what = `Exclude ${path} from the rule that redirects`
  const to = parseUrl(location, asked.href)
  if (to === undefined) return ['to no valid URL', { what }]
  const isElsewhere = to.host !== asked.host
  if (to.protocol !== asked.protocol && !isElsewhere) {
    const otherwise = `write the point with ${to.protocol}// if the pages use that`
    return [`from ${asked.protocol.slice(0, -1)} to ${to.protocol.slice(0, -1)}`, { what, otherwise }]
  }
  if (isLoginUrl(to)) {
    const where = isElsewhere ? ` at ${escapeAndCut(to.host)}` : ''
    return [
      `to a login${where}`,
      { what: `${what}: the point must be open to visitors who are not logged in` },
    ]
  }
  if (isElsewhere) {
    const isSameSite = toSite(to.hostname) === toSite(asked.hostname)
    const otherwise = isSameSite ? `write the point as ${escapeAndCut(to.origin)}${path}` : undefined
    return [`to another host, ${escapeAndCut(to.host)}`, { what, otherwise }]
  }
  const isSamePath = to.pathname.replace(/\/$/, '') === asked.pathname.replace(/\/$/, '')
  return isSamePath && to.pathname !== asked.pathname
    ? ['that adds or removes a slash', { what: `${what} (the site's trailing-slash rule must not see it)` }]
    : ['to another path', { what }]
}

const FOLLOWED: Fix = { what: 'Stop following redirects', remedy: (advice) => advice.returnRedirects }
