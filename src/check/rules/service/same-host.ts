import { withoutTrailingDot } from '../../../http/host.ts'
import type { Facts } from '../../facts.ts'
import type { ParsedUrl } from '../../parsed-url.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export const sameHost: Rule = {
  id: 'service/same-host',
  severity: 'error',
  title: "The service is not on a point's own host and port",
  why: 'The proxy forwards what arrives at a point to the service. If the service has the same host and port as a point, requests return to the proxy in a loop.',
  wrong: 'service https://www.example.com, point https://www.example.com/service_cookie_transfer/',
  right: 'service https://cobrowse.example.net, point https://www.example.com/service_cookie_transfer/',
  fix: "Write the vendor's host in service.url.",
  reference: {
    text: 'RFC 9110, loop detection with Via',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3',
  },
  needs: { facts: ['service'] },
  evaluate: (facts) => [onSetting('service.url', judge(facts), facts.service?.location)],
}

function judge({ service, points }: Facts): Ruling {
  if (service === undefined) return pass
  const authority = toHostAndPort(service.parsed)
  const same = points.find(({ parsed }) => parsed !== undefined && toHostAndPort(parsed) === authority)
  if (same === undefined) return pass
  return fail(
    `The service and the point ${same.shown} are both on ${authority}: the proxy would call itself`,
    'Write the host of the co-browsing service in "service.url"',
    { point: same.shown },
  )
}

// A trailing dot makes no difference to DNS, and so to the proxy.
function toHostAndPort({ url, host, scheme }: ParsedUrl): string {
  return `${withoutTrailingDot(host)}:${new URL(url).port || (scheme === 'https' ? 443 : 80)}`
}
