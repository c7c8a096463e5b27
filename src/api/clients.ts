import { type Confirmation, confirmation } from './agents.ts'
import { json } from './answer.ts'
import type { CallOptions } from './request.ts'
import { type Fields, integer, listOf, record, text, textOrNull } from './schema.ts'
import type { Send } from './send.ts'

const fields = {
  company_name: text,
  /** Documented for requests; a service may leave it out of its replies. */
  company_plan_name: text,
  client_key: text,
  /** The maximum number of agents. */
  agent_count: integer,
  widget_key: text,
  /** The client's own REST key: keep it out of logs. */
  rest_key: text,
  /** Comma-separated patterns such as `*` and `*.example.com`. */
  domains: text,
}

/** A reseller's client (spec 2.5). */
export type Client = Fields<typeof fields, 'company_plan_name'>

export interface ClientFields {
  /** Default: `client_enterprise`. */
  readonly company_plan_name?: string | undefined
  /** Comma-separated patterns. */
  readonly domains?: string | undefined
  readonly agent_email?: string | undefined
  readonly agent_name?: string | undefined
  readonly agent_password?: string | undefined
}

export interface NewClient extends ClientFields {
  readonly company_name: string
}

/**
 * The reference pages know only `company_name`, the OpenAPI description the other fields too. By the latter an
 * update without `company_plan_name` sets `client_enterprise`. Give it to keep the plan.
 */
export interface ClientUpdate extends ClientFields {
  readonly company_name?: string | undefined
}

/** With the client's own REST key: keep it out of logs. */
export type CreatedClient = Pick<Client, 'company_name' | 'client_key' | 'rest_key' | 'widget_key'>

export type UpdatedClient = Pick<Client, 'agent_count' | 'company_name' | 'client_key'>

export type ClientDomains = Pick<Client, 'domains'>

/** Spec 4.5. Only a reseller's REST key may call these. */
export interface Clients {
  list(options?: CallOptions): Promise<readonly Client[]>
  create(client: NewClient, options?: CallOptions): Promise<CreatedClient>
  get(clientKey: string, options?: CallOptions): Promise<Client>
  /** Replaces the client's domain patterns. */
  setDomains(clientKey: string, domains: string, options?: CallOptions): Promise<ClientDomains>
  update(clientKey: string, update: ClientUpdate, options?: CallOptions): Promise<UpdatedClient>
  delete(clientKey: string, options?: CallOptions): Promise<Confirmation>
}

export function createClients(send: Send): Clients {
  // `all` replaced the reseller's key on 2018-03-19 (spec 9, rule 2).
  return {
    list: (call) => send('GET /clients/all/', json(listOf(client)), call),
    create: (body, call) => send('POST /clients/all/', json(createdClient), call, { body }),
    get: (id, call) => send('GET /clients/all/{CLIENT_KEY}/', json(client), call, { id }),
    setDomains: (id, domains, call) =>
      send('POST /clients/all/{CLIENT_KEY}/', json(clientDomains), call, { id, body: { domains } }),
    update: (id, body, call) =>
      send('PUT /clients/all/{CLIENT_KEY}/', json(updatedClient), call, { id, body }),
    delete: (id, call) => send('DELETE /clients/all/{CLIENT_KEY}/', json(confirmation), call, { id }),
  }
}

/** A client may have no plan and no domain. */
const client = record<Client>(['client_key'], {
  ...fields,
  company_plan_name: textOrNull,
  widget_key: textOrNull,
  rest_key: textOrNull,
  domains: textOrNull,
})

const createdClient = record<CreatedClient>(['client_key', 'rest_key', 'widget_key'], fields)

const updatedClient = record<UpdatedClient>(['client_key'], fields)

const clientDomains = record<ClientDomains>(['domains'], fields)
