import { valuesOf } from '../../http/fields.ts'
import { parseUrl } from '../../http/url.ts'
import type { Point } from '../../points/point.ts'
import type { Observation } from './live-fact.ts'
import { vouchedOf } from './observations.ts'

/** Whether the reply is a redirect that doesn't come from the service. */
export function isAddedRedirect(observation: Observation): boolean {
  const { question, reply, direct } = observation
  const location = redirectLocation(reply)
  if (location === undefined || question.purpose === 'redirect') return false
  if (reply.standIn !== undefined) return false
  const vouched = vouchedOf(observation)
  if (vouched !== undefined) return !isRedirect(vouched.status)
  return direct === undefined || redirectLocation(direct) !== location
}

/** The Location of a redirect, empty if it has none; `undefined` if the reply is not a redirect. */
export function redirectLocation(reply: Observation['reply']): string | undefined {
  if (reply.kind !== 'response' || !isRedirect(reply.status)) return undefined
  return valuesOf(reply.fields, 'location')[0] ?? ''
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/** Whether the redirect of a question to this point leads back to the URL that was asked. */
export function isRedirectToItself({ question, reply }: Observation, point: Point): boolean {
  const location = redirectLocation(reply)
  const asked = `${point.url}${question.rest}`
  return location !== undefined && parseUrl(location, asked)?.href === asked
}

/** Whether a URL looks like a login page, by words in its host and path. */
export function isLoginUrl({ hostname, pathname }: URL): boolean {
  return LOGIN.test(`${hostname}${pathname}`)
}

const LOGIN =
  /(?:^|[/._-])(?:log-?in|log-?on|sign-?in|sign-?on|auth|oauth2?|sso|saml2?|idp|accounts?)(?:$|[/._-])/i
