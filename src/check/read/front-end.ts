import type { Advisor } from '../../front-ends/advisor.ts'
import { advisors } from '../../front-ends/advisors.ts'
import { valuesOf } from '../../http/fields.ts'
import type { ProbeReply, ProbeResponse } from '../../probe/probe.ts'
import type { LiveFact } from './live-fact.ts'

/** By Server and Via fields and error pages. A server that the service's direct answers name too is not taken for it. */
export function recogniseFrontEnd({ observations, direct, bare }: LiveFact): Advisor | undefined {
  const own = [direct?.right, bare].map(recognise)
  const found = observations.flatMap(({ reply }) => recognise(reply) ?? [])
  return found.find((each) => !own.includes(each))
}

function recognise(reply: ProbeReply | undefined): Advisor | undefined {
  if (reply?.kind !== 'response') return undefined
  const said = [...valuesOf(reply.fields, 'server'), ...valuesOf(reply.fields, 'via')].join(' ')
  return advisors.find((each) => each.field?.test(said) || isErrorPageOf(each, reply))
}

/** Whether the front end of a point says with this status that there were too many requests, or that it is in maintenance. */
export function isLimit(status: number | undefined, fact: LiveFact): boolean {
  return status === 429 || (status === 503 && recogniseFrontEnd(fact)?.limitsBy503 === true)
}

/** Whether an answer is an error page that the front end itself made. */
export function isOwnErrorPage(response: ProbeResponse): boolean {
  return advisors.some((each) => isErrorPageOf(each, response))
}

/** Whether protection against bots answers, with whatever status, and wants something of a browser first. */
export function isChallenge(reply: ProbeReply): boolean {
  if (reply.kind !== 'response') return false
  return (
    CHALLENGE_FIELDS.some((name) => valuesOf(reply.fields, name).some((value) => CHALLENGE.test(value))) ||
    CHALLENGE_PAGE.test(reply.body)
  )
}

const CHALLENGE_FIELDS = ['cf-mitigated', 'x-amzn-waf-action', 'x-vercel-mitigated'] as const
const CHALLENGE = /challenge|captcha/i
/** Of Cloudflare, Imperva, DataDome, HUMAN, AWS, Akamai and Sucuri; the boxes to tick; a script that sets a cookie and asks again. */
const CHALLENGE_PAGE =
  /cdn-cgi\/challenge-platform|__cf_chl|_Incapsula_Resource|captcha-delivery\.com|px-captcha|awswaf\.com|sec-if-cpt|sucuri_cloudproxy|class="(?:g-recaptcha|h-captcha|cf-turnstile)|<title>\s*(?:just a moment|attention required|checking your browser|(?:are|verify(?:ing)?) you)|document\.cookie\s*=[^<]{1,1000}location\.(?:reload|href|replace)/i

function isErrorPageOf({ errorPage }: Advisor, { status, body }: ProbeResponse): boolean {
  return status >= 400 && errorPage?.test(body.slice(0, PAGE_CHARACTERS)) === true
}

const PAGE_CHARACTERS = 1000
