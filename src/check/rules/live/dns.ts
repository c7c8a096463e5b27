import { onLivePoints, type Step, URL_RULES } from '../../live/on-live-points.ts'
import { fail, pass, type Rule } from '../../rule.ts'

/** The name resolves. */
export const dnsStep: Step = {
  id: 'live/dns',
  judge({ point, reach: { resolution } }) {
    if (resolution.kind === 'resolved' && resolution.addresses.length > 0) return pass
    if (resolution.kind === 'unknown') {
      const message = `The resolver gave no answer for ${point.host} (${resolution.code}): try again, or name the address with --resolve ${point.host}:IP`
      return { outcome: 'inconclusive', message }
    }
    return fail(
      `${point.host} does not resolve`,
      `Add an A or AAAA record for ${point.host}, or correct the host; before DNS moves, check with --resolve ${point.host}:IP`,
      { host: point.host },
    )
  },
}

export const dns: Rule = {
  id: dnsStep.id,
  severity: 'error',
  title: 'The host of the point resolves',
  why: 'A browser that finds no address for the host sends nothing at all.',
  wrong: 'https://wwww.example.com/service_cookie_transfer/, a host that has no DNS record',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Add the DNS record, or correct the host of the point.',
  reference: undefined,
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints(dnsStep.judge, []),
}
