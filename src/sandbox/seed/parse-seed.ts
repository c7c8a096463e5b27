import { toOptionValues } from '../options/option-values.ts'
import { type Fault, type Parsed, type Path, parse } from '../schema/schema.ts'
import { MOST_SESSIONS } from '../state/sessions.ts'
import { type Seed, type SeededClient, seedSchema } from './seed.ts'

/** Reads a seed from JSON, or finds everything that is wrong with it, each with its path. */
export function parseSeed(value: unknown): Parsed<Seed> {
  const parsed = parse(seedSchema, value)
  if ('faults' in parsed) return parsed
  const faults = [
    ...findRepeated(keysOf(parsed.value), 'is a key that occurs here already'),
    ...findRepeated(agentIdsOf(parsed.value), 'is the id of another agent'),
    ...companiesOf(parsed.value).flatMap(findCompanyFaults),
    ...findTooMany(parsed.value),
    ...Object.entries(parsed.value.plans ?? {}).flatMap(([name, limits]) =>
      findContradictions(['plans', name], limits),
    ),
  ]
  return faults.length > 0 ? { faults } : parsed
}

type SeededCompany = Pick<SeededClient, 'settings' | 'agents' | 'sessions'>

interface Placed<T> {
  readonly path: Path
  readonly value: T
}

function companiesOf(seed: Seed): readonly Placed<SeededCompany>[] {
  const clients = (seed.clients ?? []).map((value, index) => ({ path: ['clients', index], value }))
  return [{ path: [], value: seed }, ...clients]
}

function findTooMany(seed: Seed): readonly Fault[] {
  const sessions = companiesOf(seed).flatMap(({ value }) => value.sessions ?? [])
  if (sessions.length <= MOST_SESSIONS) return []
  return [{ path: ['sessions'], message: `are more than ${MOST_SESSIONS}, those of clients included` }]
}

function findCompanyFaults({ path, value }: Placed<SeededCompany>): readonly Fault[] {
  const { agents = [], sessions = [], settings = {} } = value
  const emails = agents.map(({ agent_email }, index) => ({
    path: [...path, 'agents', index, 'agent_email'],
    value: agent_email.toLowerCase(),
  }))
  const ids = new Set(agents.map(({ agent_id }) => agent_id))
  return [
    ...findContradictions([...path, 'settings'], settings),
    ...findRepeated(emails, 'is the address of another agent'),
    ...sessions.flatMap((session, index) => {
      const at = [...path, 'sessions', index]
      const isStray = session.agent_id !== undefined && !ids.has(session.agent_id)
      return [
        ...findContradictions([...at, 'options'], session.options ?? {}),
        ...(isStray ? [{ path: [...at, 'agent_id'], message: 'is the agent_id of no agent beside it' }] : []),
      ]
    }),
  ]
}

function findContradictions(path: Path, options: Readonly<Record<string, unknown>>): readonly Fault[] {
  const parsed = toOptionValues(options)
  if ('value' in parsed) return []
  return parsed.faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
}

function keysOf(seed: Seed): readonly Placed<string>[] {
  const named: readonly Placed<string | undefined>[] = [
    { path: ['apiKey'], value: seed.apiKey },
    { path: ['widgetKey'], value: seed.widgetKey },
    { path: ['resellerKey'], value: seed.resellerKey },
    ...(seed.clients ?? []).flatMap(({ client_key, rest_key, widget_key }, index) => [
      { path: ['clients', index, 'client_key'], value: client_key },
      { path: ['clients', index, 'rest_key'], value: rest_key },
      { path: ['clients', index, 'widget_key'], value: widget_key },
    ]),
  ]
  return named.flatMap(({ path, value }) => (value === undefined ? [] : [{ path, value }]))
}

function agentIdsOf(seed: Seed): readonly Placed<number>[] {
  return companiesOf(seed).flatMap(({ path, value }) =>
    (value.agents ?? []).flatMap(({ agent_id }, index) =>
      agent_id === undefined ? [] : [{ path: [...path, 'agents', index, 'agent_id'], value: agent_id }],
    ),
  )
}

/** Every value that occurs at an earlier path too. */
function findRepeated<T>(placed: readonly Placed<T>[], message: string): readonly Fault[] {
  return placed
    .filter(({ value }, index) => placed.findIndex((each) => each.value === value) < index)
    .map(({ path }) => ({ path, message }))
}
