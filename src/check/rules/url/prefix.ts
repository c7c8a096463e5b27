import { toNearestPointUrl } from '../../nearest-point-url.ts'
import { fail, onReadablePoints, pass, type Rule } from '../../rule.ts'

export const prefix: Rule = {
  id: 'url/prefix',
  severity: 'error',
  title: "The path ends with the service's prefix, once, with its trailing slash",
  why: 'The widget appends its own names to the continuation URL. Without exactly one prefix at the end, trailing slash included, the result is not a resource of the service.',
  wrong: 'https://www.example.com/service_cookie_transfer',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'End the URL with the prefix of `service.prefix`; a cookie path stands before it.',
  reference: undefined,
  after: ['url/invalid'],
  phase: 'judge',
  evaluate: onReadablePoints(({ fault, shown }, { prefix }) =>
    fault?.kind === 'prefix'
      ? fail(`This is no URL of a point: ${fault.reason}`, `Write ${toNearestPointUrl(shown, prefix)}`)
      : pass,
  ),
}
