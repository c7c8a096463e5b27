import type { Reply } from '../../../probe/probe.ts'
import { type Arrival, readArrival } from '../../read/arrival.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import { toReplyEvidence, toReplyText } from '../../read/reply-text.ts'
import { toShownText } from '../../read/shown-text.ts'
import { fail, inconclusive, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from './on-live-points.ts'

export const forwarded: Rule = {
  id: 'live/forwarded',
  severity: 'error',
  title: 'The service answers at the point',
  why: "The point only carries cookies if its requests come to the service: at the service's own host name, and at its continuation end. A page of the site, an error of the front end or another virtual host answers as politely, and nothing is carried.",
  wrong:
    "a front end that hands its own Host on, or whose rule for the point comes after the site's catch-all",
  right: 'nginx: location ^~ /service_cookie_transfer/ { proxy_set_header Host cobrowse.example.net; … }',
  fix: "Forward everything below the point's path to the service, with the service's own Host.",
  reference: undefined,
  needs: { rules: ['live/tls'], answers: ['verification'] },
  phase: 'judge',
  evaluate: onLivePoints((fact) => judge(fact, readArrival(fact))),
}

function judge(fact: LiveFact, arrival: Arrival): Ruling {
  const { serviceAuthority, servicePath, point } = fact
  switch (arrival.kind) {
    case 'service':
    // That one is live/redirect's finding: the engine never gets here.
    case 'redirected':
      return pass
    case 'untold':
      return inconclusive(arrival.why)
    case 'stranger':
      return failStranger(fact, arrival.reply)
    case 'other-host': {
      const own = serviceAuthority ?? '<SERVICE_HOST>'
      const arrived = toShownText(arrival.host?.toLowerCase() ?? 'nobody')
      return fail(
        `The service is asked as ${arrived}${arrival.isCustomers ? ', which is the host of the site' : ''}`,
        `Send the service's own Host: ${own}. nginx: proxy_set_header Host ${own}; Apache: ProxyPreserveHost Off`,
        { expected: `Host: ${own}`, arrived: `Host: ${toShownText(arrival.host ?? '')}` },
      )
    }
    case 'other-path': {
      const arrived = toShownText(arrival.path)
      return fail(
        `The point is forwarded to another path of the service, ${arrived}`,
        `Forward ${point.path} to ${servicePath}`,
        { expected: servicePath, arrived },
      )
    }
  }
}

function failStranger({ point, serviceAuthority, servicePath }: LiveFact, reply: Reply): Ruling {
  const [to, host] =
    serviceAuthority === undefined
      ? [`${servicePath} of the service`, "the service's own Host"]
      : [`${serviceAuthority}${servicePath}`, `Host ${serviceAuthority}`]
  return fail(
    `Somebody else than the service answers: ${toReplyText(reply)}`,
    `Forward everything below ${point.path} to ${to}, with ${host}, before any other rule of the site`,
    { sent: `GET ${point.path}`, ...toReplyEvidence(reply) },
  )
}
