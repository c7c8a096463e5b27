import { valuesOf } from '../../http/fields.ts'
import type { Observation } from './live-fact.ts'
import { readStandIn } from './stand-in-report.ts'

/** A redirect that the service did not give. */
export function isAddedRedirect({ question, reply, direct }: Observation): boolean {
  const location = redirectLocation(reply)
  if (location === undefined || question.purpose === 'redirect') return false
  if (readStandIn(reply) !== undefined) return false
  return direct === undefined || redirectLocation(direct) !== location
}

/** The Location of a redirect; the empty text where there is none. */
export function redirectLocation(reply: Observation['reply']): string | undefined {
  if (reply.kind !== 'response' || ![301, 302, 303, 307, 308].includes(reply.status)) return undefined
  return valuesOf(reply.fields, 'location')[0] ?? ''
}

/** Whether a URL is, by its words, one where visitors log in. */
export function isLoginUrl({ hostname, pathname }: URL): boolean {
  return LOGIN.test(`${hostname}${pathname}`)
}

const LOGIN =
  /(?:^|[/._-])(?:log-?in|log-?on|sign-?in|sign-?on|auth|oauth2?|sso|saml2?|idp|accounts?)(?:$|[/._-])/i
