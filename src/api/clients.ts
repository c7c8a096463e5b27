import type { Confirmation } from './agents.ts'
import { listOf, record } from './answer.ts'
import type { CallOptions } from './request.ts'
import type { Send } from './send.ts'

/** A reseller's client (spec 2.5). */
export interface Client {
  readonly company_name: string
  /** Documented for requests; a service may leave it out of its answers. */
  readonly company_plan_name?: string
  readonly client_key: string
  /** The maximum number of agents. */
  readonly agent_count: number
  readonly widget_key: string
  /** The client's own REST key: keep it out of logs. */
  readonly rest_key: string
  /** Comma-separated patterns such as `*` and `*.example.com`. */
  readonly domains: string
}

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
    list: (call) => send('GET /clients/all/', listOf<Client>({}), call),
    create: (body, call) =>
      send('POST /clients/all/', record<CreatedClient>({}, 'client_key'), call, { body }),
    get: (id, call) => send('GET /clients/all/{CLIENT_KEY}/', record<Client>({}, 'client_key'), call, { id }),
    setDomains: (id, domains, call) =>
      send('POST /clients/all/{CLIENT_KEY}/', record<ClientDomains>(), call, { id, body: { domains } }),
    update: (id, body, call) =>
      send('PUT /clients/all/{CLIENT_KEY}/', record<UpdatedClient>(), call, { id, body }),
    delete: (id, call) => send('DELETE /clients/all/{CLIENT_KEY}/', record<Confirmation>(), call, { id }),
  }
}
