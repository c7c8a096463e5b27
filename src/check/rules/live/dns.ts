import type { LiveFact } from '../../read/live-fact.ts'
import { fail, inconclusive, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from '../subjects.ts'

export const dns: Rule = {
  id: 'live/dns',
  severity: 'error',
  title: 'The host of the point resolves',
  why: 'A browser that finds no address for the host sends nothing at all.',
  wrong: 'https://wwww.example.com/service_cookie_transfer/, a host that has no DNS record',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Add the DNS record, or correct the host of the point.',
  // Points with a faulty URL, duplicates, and points that the widget ignores are not asked.
  needs: { rules: ['url/invalid', 'url/prefix', 'url/duplicate', 'url/cross-site'] },
  evaluate: onLivePoints(judge),
}

function judge({ point, reach: { resolution } }: LiveFact): Ruling {
  if (resolution.kind === 'resolved' && resolution.addresses.length > 0) return pass
  if (resolution.kind === 'unknown') {
    return inconclusive(
      `The resolver gave no answer for ${point.host} (${resolution.code}): try again, or give the address with --resolve ${point.host}:IP`,
    )
  }
  return fail(
    `${point.host} does not resolve`,
    `Add an A or AAAA record for ${point.host}, or correct the host; before DNS moves, check with --resolve ${point.host}:IP`,
    { host: point.host },
  )
}
