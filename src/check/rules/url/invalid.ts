import type { Rule } from '../../rule.ts'
import { onPoints } from '../subjects.ts'
import { judgeFault } from './miswritten.ts'

export const invalid: Rule = {
  id: 'url/invalid',
  severity: 'error',
  title: 'The URL is an absolute http or https URL with nothing added',
  why: 'The account compares continuation URLs as text, and the proxy matches requests byte for byte. A browser never asks a point for a URL with credentials, a fragment or a dot segment, so such a point never matches.',
  wrong: 'https://www.example.com/shop/../service_cookie_transfer/?v=2',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Write scheme, host, cookie path if any, and the prefix; nothing else.',
  reference: { text: 'URL Standard, URL writing', url: 'https://url.spec.whatwg.org/#url-writing' },
  evaluate: onPoints((point, facts) => judgeFault('invalid', point, facts)),
}
