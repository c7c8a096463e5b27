import type { Place } from '../../facts.ts'
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
  evaluate: onReadablePoints(({ fault, place }, { prefix }) =>
    fault?.kind === 'prefix'
      ? fail(`This is no URL of a point: ${fault.reason}`, `Write ${toUrlWithPrefix(place, prefix)}`)
      : pass,
  ),
}

// Everything from the first prefix on goes, with or without its slash; what stands before it is the cookie path.
function toUrlWithPrefix({ url, origin }: Place, prefix: string): string {
  const path = new URL(url).pathname
  const bare = prefix.slice(0, -1)
  const start = path.indexOf(bare)
  return `${origin}${(start === -1 ? path : path.slice(0, start)).replace(/\/+$/, '')}${prefix}`
}
