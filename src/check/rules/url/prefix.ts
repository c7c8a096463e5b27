import type { Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'
import { judgeFault } from './miswritten.ts'

export const prefix: Rule = {
  id: 'url/prefix',
  severity: 'error',
  title: "The path ends with the service's prefix, once, with its trailing slash",
  why: "The widget appends names of its own to the continuation URL. Unless the URL ends with exactly one prefix, trailing slash included, the result isn't an address of the service.",
  wrong: 'https://www.example.com/service_cookie_transfer',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'End the URL with `service.prefix`; a cookie path goes before it.',
  needs: { rules: ['url/invalid'] },
  evaluate: onReadablePoints((point, facts) => judgeFault('prefix', point, facts)),
}
