import type { Connection } from '../../../probe/probe.ts'
import { recogniseFrontEnd } from '../../read/front-end.ts'
import { type LiveFact, verificationReply } from '../../read/live-fact.ts'
import { accepts, findRefusals } from '../../read/reach.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from './on-live-points.ts'
import { LISTEN } from './remedies.ts'

export const connect: Rule = {
  id: 'live/connect',
  severity: 'error',
  title: 'Every address of the host accepts connections and answers',
  why: 'A host with several addresses is reached at any of them, and one that refuses fails some visitors and not others.',
  wrong: 'an AAAA record left from the old server, where nothing listens any more',
  right: 'records only of addresses where the front end listens',
  fix: 'Start the front end there, open the firewall, or remove the record.',
  remedy: LISTEN,
  reference: undefined,
  needs: { rules: ['live/dns'] },
  phase: 'judge',
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
  if (!reach.attempts.some(({ connection }) => accepts(connection))) return toUntold(fact)
  const reply = verificationReply(fact)
  if (point.scheme === 'http' && reply?.kind === 'none' && ['closed', 'refused'].includes(reply.cause)) {
    return fail(
      'The connection is closed before any answer',
      'See the log of the server there: it accepts the connection and drops the request',
      { code: reply.code },
    )
  }
  return pass
}

function toUntold({ reach: { attempts } }: LiveFact): Ruling {
  const codes = [...new Set(attempts.map(({ connection }) => codeOf(connection)))].join(', ')
  const message = `No connection came about (${codes}), which need not be the fault of the point: check from a network that reaches it`
  return { outcome: 'inconclusive', message }
}

function codeOf(connection: Connection): string {
  return connection.kind === 'unconnected' ? connection.code : 'open'
}
