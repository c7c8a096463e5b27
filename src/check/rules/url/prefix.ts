import { onReadablePoints, type Rule } from '../../rule.ts'
import { judgeFault } from './point-fault.ts'

export const prefix: Rule = {
  id: 'url/prefix',
  severity: 'error',
  title: "The path ends with the service's prefix, once, with its trailing slash",
  why: 'The widget appends its own names to the continuation URL. Without exactly one prefix at the end, trailing slash included, the result is not a resource of the service.',
  wrong: 'https://www.example.com/service_cookie_transfer',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'End the URL with the prefix of `service.prefix`; a cookie path stands before it.',
  reference: undefined,
  needs: { rules: ['url/invalid'] },
  phase: 'judge',
  evaluate: onReadablePoints((point, facts) => judgeFault('prefix', point, facts)),
}
