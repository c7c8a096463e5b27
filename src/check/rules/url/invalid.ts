import { onPoints, type Rule } from '../../rule.ts'
import { judgeFault } from './point-fault.ts'

export const invalid: Rule = {
  id: 'url/invalid',
  severity: 'error',
  title: 'The URL is an absolute http or https URL and nothing more',
  why: 'The account compares continuation URLs as text, and the proxy matches the octets of a request. Credentials, a query, a fragment or a dot segment are never part of what a browser asks for at a point, so such a point is never met.',
  wrong: 'https://www.example.com/shop/../service_cookie_transfer/?v=2',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Write scheme, host, cookie path if any, and the prefix; nothing else.',
  reference: { text: 'URL Standard, URL writing', url: 'https://url.spec.whatwg.org/#url-writing' },
  needs: {},
  phase: 'judge',
  evaluate: onPoints((point, facts) => judgeFault('invalid', point, facts)),
}
