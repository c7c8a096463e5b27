import type { Connection } from '../../../probe/probe.ts'
import { recogniseFrontEnd } from '../../read/front-end.ts'
import { type LiveFact, verificationReply } from '../../read/live-fact.ts'
import { accepts, findRefusals } from '../../read/reach.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, inconclusive, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from '../subjects.ts'
import { LISTEN } from './remedies.ts'

export const connect: Rule = {
  id: 'live/connect',
  severity: 'error',
  title: 'Every address of the host accepts connections and answers',
  why: 'Visitors may reach a host at any of its addresses. If one of them refuses, the point fails for some visitors and works for others.',
  wrong: 'an AAAA record left over from the old server, where nothing listens any more',
  right: 'DNS records only for addresses where the front end listens',
  fix: 'Start the front end there, open the firewall, or remove the DNS record.',
  remedy: LISTEN,
  needs: { rules: ['live/dns'] },
  evaluate: onLivePoints(judge),
}

function judge(fact: LiveFact): Ruling {
  const { point, reach } = fact
  const refusals = findRefusals(reach)
  if (refusals.length > 0) {
    const addresses = refusals.map(({ address }) => address)
    return fail(
      `Connections are refused at ${addresses.join(', ')}`,
      withRemedy(
        'Start the front end there, open the firewall, or take the address out of DNS',
        LISTEN,
        recogniseFrontEnd(fact),
      ),
      { addresses, codes: [...new Set(refusals.map(({ connection }) => codeOf(connection)))] },
    )
  }
  if (!reach.attempts.some(({ connection }) => accepts(connection))) return toInconclusive(fact)
  const reply = verificationReply(fact)
  if (point.scheme === 'http' && reply?.kind === 'none' && ['closed', 'refused'].includes(reply.cause)) {
    return fail(
      'The connection is closed before there is an answer',
      'Look at the log of the server there: it accepts the connection and drops the request',
      { code: reply.code },
    )
  }
  return pass
}

function toInconclusive({ reach: { attempts } }: LiveFact): Ruling {
  const codes = [...new Set(attempts.map(({ connection }) => codeOf(connection)))].join(', ')
  return inconclusive(
    `No connection could be made (${codes}). That may not be the point's fault: check again from a network that can reach it`,
  )
}

function codeOf(connection: Connection): string {
  return connection.kind === 'unconnected' ? connection.code : 'open'
}
