import { isOwnErrorPage, recogniseFrontEnd } from '../../read/front-end.ts'
import type { LiveFact, Observation } from '../../read/live-fact.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { evidenceOf, isAlike, isConclusive, valuesIn } from '../../read/reply.ts'
import { STAND_IN } from '../../read/stand-in.ts'
import { readMarks } from '../../read/stand-in-report.ts'
import { fail, inconclusive, pass, type RulesById, type Ruling, skip } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

export const outsideRules: RulesById = {
  'live/outside': {
    title: 'Nothing outside of the points reaches the service',
    why: 'A point carries what is below it, and nothing else. A rule that matches more sends pages of the site, with all their cookies, forms and passwords, to the service.',
    wrong: 'nginx: location / { proxy_pass https://cobrowse.example.net; }',
    right: 'nginx: location ^~ /service_cookie_transfer/ { proxy_pass https://cobrowse.example.net; }',
    fix: "Forward only what is below the point's path.",
    remedy: (advice) => advice.onlyBelow('/service_cookie_transfer/'),
    needs: { rules: ['live/tls'], answers: ['outside'] },
    evaluate: eachLivePoint(judge),
  },
}

function judge(fact: LiveFact): Ruling {
  const { outside, point } = fact
  if (outside === undefined) return skip('the service does not answer at the point')
  const reached = outside.filter((each) => isServices(each, fact))
  const [first] = reached
  if (first === undefined) {
    if (outside.every(isOwn))
      return inconclusive(
        `Perhaps the whole site is forwarded: outside of the point the answers are the same as the service's own, but too short to prove it. See whether ${point.origin}/ shows your page`,
      )
    if (outside.some(({ reply }) => isConclusive(reply))) return pass
    return inconclusive(
      'Outside of the point nothing answered, so whether more than the point is forwarded is open',
    )
  }
  const isAll = reached.length === outside.length
  return fail(
    isAll
      ? 'The whole site is forwarded to the service, with all its cookies'
      : 'More than the point is forwarded to the service, with the cookies of the site',
    { what: `Forward only what is below ${point.path}`, remedy: (advice) => advice.onlyBelow(point.path) },
    {
      expected: 'an answer of the site',
      sent: reached.map(({ question }) => `GET ${question.rest}`),
      ...evidenceOf(first.reply),
    },
  )
}

/** Whether an answer is the service's: it says so, or it is what the service itself answers there. */
function isServices(observation: Observation, fact: LiveFact): boolean {
  const { reply } = observation
  if (reply.kind === 'none') return false
  if (reply.standIn !== undefined || STAND_IN.elsewhere.test(reply.body)) return true
  if (readMarks(reply) !== undefined) return true
  // serve has no page: one that it refuses behind a front end was meant for the site.
  const isPage = observation === fact.outside?.[0]
  if (isPage && readOwnRefusal(reply) !== undefined)
    return recogniseFrontEnd({ ...fact, observations: [observation] }) !== undefined
  const all = fact.outside ?? []
  // Errors look alike on many servers, and so do short answers, unless all of the site does, or has other errors.
  const isTelling = reply.body.trim().length >= LEAST_TELLING
  const isSites = (each: Observation) => !isOwn(each) && evidenceOf(each.reply).status === reply.status
  const signs = [isTelling, reply.status < 400, all.every(isOwn) || all.some(isSites)]
  return isOwn(observation) && signs.filter(Boolean).length > 1
}

function isOwn({ reply, direct }: Observation): boolean {
  if (direct?.kind !== 'response' || reply.kind !== 'response') return false
  if (reply.body.trim() === '' || isOwnErrorPage(reply)) return false
  const isSame = (name: string) => valuesIn(reply, name).join() === valuesIn(direct, name).join()
  return isAlike(direct, reply) && isSame('content-type') && isSame('location')
}

/** A shorter body is no proof of who sent it. */
const LEAST_TELLING = 16
