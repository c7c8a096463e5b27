import * as v from 'valibot'
import { role, webhookMembers } from './company.ts'
import { optionMembers, parseOptions } from './option-values.ts'
import {
  boolean,
  email,
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
} from './schema.ts'
import { server } from './service.ts'

/** Options, of which no two names contradict each other. */
const settings = v.pipe(
  objectOf(optionMembers),
  v.rawTransform(({ dataset: { value: input }, addIssue, NEVER }) => {
    const parsed = parseOptions(input)
    if ('value' in parsed) return parsed.value
    for (const { path, message } of parsed.faults) {
      const key = String(path[0])
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
    }
    return NEVER
  }),
)

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
  plan: optional(filledText),
  clients: optional(listOf(client)),
  servers: optional(listOf(server)),
  /** By plan name, the options that the plan fixes. */
  plans: optional(v.record(v.string(), settings, 'must be an object')),
  /** Which naming set answers use; default both. */
  optionNames: optional(oneOf('both', 'a', 'b')),
  /** Of history and webhooks; default 20. */
  pageSize: optional(integer(1, 1000)),
  ...resources,
})

export type Seed = v.InferOutput<typeof seedSchema>
export type SeededSession = v.InferOutput<typeof session>

/** Reads a seed from JSON, or finds everything that is wrong with it, each with its path. */
export function parseSeed(value: unknown): Parsed<Seed> {
  return parse(seedSchema, value)
}
