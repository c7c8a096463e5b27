import type { Aspect, LiveFact, Observation, Purpose, Reply } from './live-fact.ts'
import { isVouched, observationsFor, standInOf } from './observations.ts'
import { isAlike } from './reply.ts'

/** What a point's answer shows of one aspect of its question, by comparison with the service's own answers. */
export type Shown = ReturnType<typeof readContrasts>[number]

/** Whether the aspects of these questions arrived. Nothing to read where the stand-in reports what arrived. */
export function readContrasts(fact: LiveFact, ...purposes: readonly Purpose[]) {
  return observationsFor(fact, ...purposes).flatMap((observation) =>
    (observation.contrasts ?? []).map(({ aspect, path, reply }) => ({
      observation,
      aspect,
      path,
      // Only a service that gives the same answer to the same question can be compared with.
      outcome: isAlike(fact.direct?.right, fact.direct?.again) ? compare(observation, reply) : 'neither',
    })),
  )
}

/** `same`: the service's own answers are the same whichever arrives, so the point's proves nothing. */
function compare({ direct, reply }: Observation, changed: Reply) {
  if (direct?.kind !== 'response') return 'neither'
  if (isAlike(direct, changed)) return 'same'
  if (isAlike(direct, reply)) return 'arrived'
  return isAlike(changed, reply) ? 'lost' : 'neither'
}

/** Why rules are inconclusive before a service that doesn't report what arrives: the same for all, so that it is said once. */
export function explainUnclear(fact: LiveFact): string {
  if (standInOf(fact) !== undefined || isVouched(fact))
    return "The answers don't show whether all of a request arrives and comes back; a service may answer before it has read all. Try again, and if that doesn't help, with the stand-in (docs/checking.md says how)"
  const shown = readContrasts(fact, 'verification', 'method', 'cookie', 'header-size')
  const same = new Set(
    shown.flatMap(({ aspect, outcome }) => (outcome === 'same' ? (NAMES[aspect] ?? aspect) : [])),
  )
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(same)
  const why = list === '' ? '' : `: it gives the same answer whatever ${list} it gets`
  return `The service doesn't show what arrives${why}. To judge that, put continuation-point serve behind your web server, or let the stand-in take the place of the service for one check (docs/checking.md says how)`
}

/** What the config lacks for comparisons with the service's own answers, as a clause; if nothing, what is left. */
export function explainNeeds(fact: LiveFact): string {
  const { serviceAuthority, widgetKeySha256, direct } = fact
  if (standInOf(fact) !== undefined) return 'try again'
  const missing = [
    ...(serviceAuthority === undefined ? ['"service.url"'] : []),
    ...(widgetKeySha256 === undefined ? ['"widgetKey" (for env:NAME also the variable NAME)'] : []),
  ]
  if (missing.length > 0) return `set ${missing.join(' and ')} in the config`
  return direct !== undefined
    ? 'try again'
    : 'use https in "service.url", since the widget key is not sent to it in plain text'
}

const NAMES: Readonly<Partial<Record<Aspect, string>>> = {
  host: 'Host',
  path: 'path spelling',
  cookie: 'Cookie line',
}
