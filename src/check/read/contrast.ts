import type { ProbeReply } from '../../probe/probe.ts'
import { type Aspect, type LiveFact, type Observation, observationsFor, type Purpose } from './live-fact.ts'
import { isAlike } from './reply.ts'

/** What a point's answer shows of one aspect of its question, by comparison with the service's own answers. */
export interface Shown {
  readonly observation: Observation
  readonly aspect: Aspect
  /** `unclear`: the service's own answers are the same whichever arrives, so the point's proves nothing. */
  readonly outcome: 'arrived' | 'lost' | 'unclear'
}

/** Whether the aspects of these questions arrived. Nothing to read where the stand-in reports what arrived. */
export function readContrasts(fact: LiveFact, ...purposes: readonly Purpose[]): readonly Shown[] {
  return observationsFor(fact, ...purposes).flatMap((observation) =>
    (observation.contrasts ?? []).map(({ aspect, reply }) => ({
      observation,
      aspect,
      outcome: isSteady(fact) ? compare(observation, reply) : 'unclear',
    })),
  )
}

/** Whether the service gives the same answer to the same question. */
function isSteady({ direct }: LiveFact): boolean {
  return direct.kind === 'asked' && isAlike(direct.right, direct.again)
}

function compare({ direct, reply }: Observation, changed: ProbeReply): Shown['outcome'] {
  if (direct?.kind !== 'response' || isAlike(direct, changed)) return 'unclear'
  if (isAlike(direct, reply)) return 'arrived'
  return isAlike(changed, reply) ? 'lost' : 'unclear'
}

/** Why rules are inconclusive that need the unclear aspects: the same for all rules, so that it is said once. */
export function toUnclearText(fact: LiveFact): string {
  const shown = readContrasts(fact, 'method', 'cookie', 'header-size')
  const unclear = new Set(
    shown.flatMap(({ aspect, outcome }) => (outcome === 'unclear' ? ASPECTS[aspect] : [])),
  )
  const [last = '', ...others] = [...unclear].reverse()
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
  return `The service answers the same with another ${list}, so its answers don't show whether these arrive as they were sent: point the front end at continuation-point sandbox for one run, which says what arrives`
}

const ASPECTS: Readonly<Record<Aspect, string>> = {
  method: 'method',
  path: 'path',
  query: 'query',
  body: 'body',
  cookie: 'Cookie line',
}
