import * as v from 'valibot'
import { optionMembers } from '../options/option-values.ts'
import {
  boolean,
  email,
  filledText,
  integer,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  optional,
  type Schema,
  text,
  timestamp,
  webUrl,
} from '../schema/schema.ts'
import { role, webhookMembers } from '../state/company.ts'
import { MOST_CLIENTS, MOST_WEBHOOKS, server } from '../state/service.ts'

const settings = objectOf(optionMembers)

function atMost<T>(most: number, item: Schema<T>) {
  return v.pipe(listOf(item), v.maxLength(most, `must have at most ${most} items`))
}

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
  webhooks: optional(atMost(MOST_WEBHOOKS, objectOf(webhookMembers))),
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

/**
 * What the stand-in starts with, and a reset returns to. The account's keys are named as in the proxy's config, the fields of
 * a resource as in the resource. Everything is optional.
 */
export const seedSchema = objectOf({
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
  clients: optional(atMost(MOST_CLIENTS, client)),
  servers: optional(listOf(server)),
  /** By plan name, the options that the plan fixes. */
  plans: optional(mapOf(settings)),
  /** Which naming set answers use; default both. */
  optionNames: optional(oneOf('both', 'a', 'b')),
  /** Of history and webhooks; default 20. */
  pageSize: optional(integer(1, 1000)),
  /** In pixels; default 1280. */
  windowWidth: optional(integer(1, 10_000)),
  ...resources,
})

export type Seed = v.InferOutput<typeof seedSchema>
export type SeededClient = v.InferOutput<typeof client>
export type SeededSession = v.InferOutput<typeof session>
