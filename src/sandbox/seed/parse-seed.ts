import type { Path } from '../../config/problem.ts'
import { parseOptions } from '../options/option-values.ts'
import { type Fault, type Parsed, parse } from '../schema/schema.ts'
import { MOST_SESSIONS } from '../state/sessions.ts'
import { type Seed, seedSchema } from './seed.ts'

/** Reads a seed from JSON, or finds everything that is wrong with it, each with its path. */
export function parseSeed(value: unknown): Parsed<Seed> {
  const parsed = parse(seedSchema, value)
  if ('faults' in parsed) return parsed
  const seed = parsed.value
  const all = (...patterns: readonly string[]) =>
    patterns.flatMap((pattern) => placesOf(seed, pattern.split('/')))
  const companies = ['', ...(seed.clients ?? []).map((_client, index) => `clients/${index}/`)]
  const faults = [
    ...repeated(all(...KEYS), 'is a key that occurs here already'),
    ...repeated(all('agents/*/agent_id', 'clients/*/agents/*/agent_id'), 'is the id of another agent'),
    ...companies.flatMap((at) => {
      const ids = new Set(all(`${at}agents/*/agent_id`).map((agent) => agent.value))
      return [
        ...repeated(all(`${at}agents/*/agent_email`), 'is the address of another agent'),
        ...all(`${at}sessions/*/agent_id`)
          .filter((agent) => !ids.has(agent.value))
          .map(({ path }) => ({ path, message: 'is not the agent_id of an agent in the seed' })),
      ]
    }),
    ...all(...OPTIONS).flatMap(contradictionsOf),
    ...(all('sessions/*', 'clients/*/sessions/*').length > MOST_SESSIONS
      ? [{ path: ['sessions'], message: `are more than ${MOST_SESSIONS}, those of clients included` }]
      : []),
  ]
  return faults.length > 0 ? { faults } : parsed
}

interface Placed {
  readonly path: Path
  readonly value: unknown
}

/** Every value at a path that matches a pattern of names, in which `*` stands for every index or name. */
function placesOf(value: unknown, [name, ...rest]: readonly string[], path: Path = []): readonly Placed[] {
  if (value === undefined) return []
  if (name === undefined) return [{ path, value }]
  const members = Object.entries(value as object).map(
    ([key, member]) => [Array.isArray(value) ? Number(key) : key, member] as const,
  )
  return members
    .filter(([key]) => name === '*' || name === String(key))
    .flatMap(([key, member]) => placesOf(member, rest, [...path, key]))
}

function contradictionsOf({ path, value }: Placed): readonly Fault[] {
  const parsed = parseOptions(value as Readonly<Record<string, unknown>>)
  if ('value' in parsed) return []
  return parsed.faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
}

/** Every value that occurs at an earlier path too; addresses differ in more than case. */
function repeated(placed: readonly Placed[], message: string): readonly Fault[] {
  const seen = new Set<string>()
  return placed.flatMap(({ path, value }) => {
    const text = path.at(-1) === 'agent_email' ? String(value).toLowerCase() : String(value)
    if (seen.has(text)) return [{ path, message }]
    seen.add(text)
    return []
  })
}

const KEYS = [
  ...['apiKey', 'widgetKey', 'resellerKey'],
  ...['clients/*/client_key', 'clients/*/rest_key', 'clients/*/widget_key'],
]

const OPTIONS = [
  ...['settings', 'sessions/*/options', 'plans/*'],
  ...['clients/*/settings', 'clients/*/sessions/*/options'],
]
