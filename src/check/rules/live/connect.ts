import { type LiveFact, verificationReply } from '../../live/live-fact.ts'
import { onLivePoints, type Step, URL_RULES } from '../../live/on-live-points.ts'
import type { Connection } from '../../probe/probe.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { dnsStep } from './dns.ts'

/** Every address accepts a connection, and an answer begins on it. */
export const connectStep: Step = {
  id: 'live/connect',
  judge(fact) {
    const { point, reach } = fact
    const refusals = reach.attempts.filter(({ connection }) => isRefusal(connection))
    const accepts = reach.attempts.some(
      ({ connection }) => connection.kind === 'open' || isTlsFault(connection),
    )
    // Two spellings of one listener: it is enough that one accepts, or may.
    const isLoopback = reach.resolution.kind === 'resolved' && reach.resolution.by === 'loopback'
    const isExcused =
      isLoopback && (accepts || reach.attempts.some(({ connection }) => isTimeout(connection)))
    if (refusals.length > 0 && !isExcused) {
      const addresses = refusals.map(({ address }) => address)
      return fail(
        `${point.authority} refuses connections at ${addresses.join(', ')}`,
        `Let a server listen for ${point.authority} there, or take the address out of DNS`,
        { addresses, codes: refusals.map(({ connection }) => codeOf(connection)) },
      )
    }
    if (!accepts) return toUntold(fact)
    const reply = verificationReply(fact)
    if (point.scheme === 'http' && reply?.kind === 'none' && ['closed', 'refused'].includes(reply.cause)) {
      return fail(
        `${point.authority} closes the connection before any answer`,
        `See the log of the server on ${point.authority}: it accepts the connection and drops the request`,
        { code: reply.code },
      )
    }
    return pass
  },
}

export const connect: Rule = {
  id: connectStep.id,
  severity: 'error',
  title: 'Every address of the host accepts connections and answers',
  why: 'A host with several addresses is reached at any of them, and one that refuses fails some visitors and not others.',
  wrong: 'an AAAA record left from the old server, where nothing listens any more',
  right: 'records only of addresses where the front end listens',
  fix: 'Start the front end there, open the firewall, or remove the record.',
  reference: undefined,
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints(connectStep.judge, [dnsStep]),
}

function toUntold({ point, reach: { attempts } }: LiveFact): Ruling {
  const codes = [...new Set(attempts.map(({ connection }) => codeOf(connection)))].join(', ')
  const message = `No connection to ${point.authority} came about (${codes}), which need not be its fault: check from a network that reaches it`
  return { outcome: 'inconclusive', message }
}

function isRefusal(connection: Connection): boolean {
  return connection.kind === 'unconnected' && connection.cause === 'refused'
}

function isTimeout(connection: Connection): boolean {
  return connection.kind === 'unconnected' && connection.cause === 'timeout'
}

function isTlsFault(connection: Connection): boolean {
  return connection.kind === 'unconnected' && connection.cause === 'tls'
}

function codeOf(connection: Connection): string {
  return connection.kind === 'unconnected' ? connection.code : 'open'
}
