import * as v from 'valibot'
import type { Path } from '../../config/problem.ts'
import { optionMembers, parseOptions } from '../options/option-values.ts'
import {
  boolean,
  email,
  type Fault,
  filledText,
  integer,
  listOf,
  objectOf,
  oneOf,
  optional,
  type Parsed,
  parse,
  text,
  timestamp,
  webUrl,
} from '../schema/schema.ts'
import { role, webhookMembers } from '../state/company.ts'
import { server } from '../state/service.ts'

const settings = objectOf(optionMembers)

const agent = objectOf({
  agent_id: optional(integer(1)),
  agent_name: filledText,
  agent_email: email,
  role: optional(role),
  available: optional(boolean),
  online: optional(boolean),
  last_login: optional(timestamp),
})

const session = objectOf({
  start_url: webUrl,
  start_time: timestamp,
  duration: optional(integer(0)),
  agent_id: optional(integer(1)),
  tags: optional(listOf(text)),
  options: optional(settings),
})

const resources = {
  settings: optional(settings),
  agents: optional(listOf(agent)),
  sessions: optional(listOf(session)),
  webhooks: optional(listOf(objectOf(webhookMembers))),
} as const

const client = objectOf({
  company_name: filledText,
  company_plan_name: optional(filledText),
  client_key: optional(filledText),
  rest_key: optional(filledText),
  widget_key: optional(filledText),
  agent_count: optional(integer(0)),
  domains: optional(text),
  ...resources,
})

/** What the stand-in starts with. Keys are named as in the proxy's config, the fields of a resource as in the resource. */
const seedSchema = objectOf({
  apiKey: optional(filledText),
  widgetKey: optional(filledText),
  /** In place of `all` in old paths of clients. */
  resellerKey: optional(filledText),
  /** Default true. */
  isReseller: optional(boolean),
  companyName: optional(filledText),
  plan: optional(filledText),
  agentCount: optional(integer(0)),
  domains: optional(text),
  clients: optional(listOf(client)),
  servers: optional(listOf(server)),
  /** By plan name, the options that the plan fixes. */
  plans: optional(v.record(v.string(), settings, 'must be an object')),
  /** Which naming set answers use; default both. */
  optionNames: optional(oneOf('both', 'a', 'b')),
  /** Of history and webhooks; default 20. */
  pageSize: optional(integer(1, 1000)),
  /** In pixels; default 1280. */
  windowWidth: optional(integer(1, 10_000)),
  ...resources,
})

export type Seed = v.InferOutput<typeof seedSchema>
export type SeededSession = v.InferOutput<typeof session>

/** Reads a seed from JSON, or finds everything that is wrong with it, each with its path. */
export function parseSeed(value: unknown): Parsed<Seed> {
  const parsed = parse(seedSchema, value)
  if ('faults' in parsed) return parsed
  const seed = parsed.value
  const all = (...patterns: readonly string[]) =>
    patterns.flatMap((pattern) => placesOf(seed, pattern.split('/')))
  const faults = [
    ...repeated(all(...KEYS), 'is a key that occurs here already'),
    ...repeated(all('agents/*/agent_id', 'clients/*/agents/*/agent_id'), 'is the id of another agent'),
    ...all(...OPTIONS).flatMap(contradictionsOf),
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

/** Every value that occurs at an earlier path too. */
function repeated(placed: readonly Placed[], message: string): readonly Fault[] {
  const seen = new Set<unknown>()
  return placed.flatMap(({ path, value }) => {
    if (seen.has(value)) return [{ path, message }]
    seen.add(value)
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
