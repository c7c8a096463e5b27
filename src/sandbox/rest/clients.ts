import * as v from 'valibot'
import { email, filledText, text } from '../shape/scalars.ts'
import { optional } from '../shape/shape.ts'
import type { Company } from '../state/company.ts'
import { addAgent, addCompany, clientsOf, DEFAULT_PLAN, MOST_CLIENTS } from '../state/service.ts'
import { full, notFound, ok, type Reply } from './reply.ts'
import { type Call, defineRoute, type Route } from './route.ts'

const domains = v.pipe(
  text,
  v.check(
    (value) => value.split(',').every((pattern) => /^(?:[\w*.:[\]-]+)?$/.test(pattern.trim())),
    'must be domain patterns such as *.example.com, with commas between them',
  ),
)

const details = {
  company_plan_name: optional(filledText),
  domains: optional(domains),
  agent_email: optional(email),
  agent_name: optional(filledText),
  agent_password: optional(filledText),
} as const

/**
 * The clients of a reseller (spec 4.5). `{RESELLER}` is `all`, or as before 2018-03-19 the reseller's own key.
 */
export const clientRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/clients/{RESELLER}/',
    summary: 'List the clients',
    credential: 'reseller-key',
    query: {},
    responses: { 200: 'The clients' },
    answer(call) {
      if (!isReseller(call)) return unknownReseller()
      return ok(clientsOf(call.service, call.company).map(toClientBody))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/clients/{RESELLER}/',
    summary: 'Create a client, with its first agent if one is described',
    credential: 'reseller-key',
    query: {},
    body: { company_name: filledText, ...details },
    responses: { 200: 'The client’s name and its keys' },
    answer(call) {
      const { service, company, body, nowMs } = call
      if (!isReseller(call)) return unknownReseller()
      if (clientsOf(service, company).length >= MOST_CLIENTS) return full('clients')
      const client = addCompany(service, {
        name: body.company_name,
        plan: body.company_plan_name,
        domains: body.domains,
        resellerId: company.id,
      })
      if (body.agent_email !== undefined) {
        addAgent(service, client, {
          name: body.agent_name ?? body.agent_email,
          email: body.agent_email,
          role: 'admin',
          isAvailable: true,
          lastLoginMs: nowMs,
        })
      }
      return ok({
        company_name: client.name,
        client_key: client.clientKey,
        rest_key: client.restKey,
        widget_key: client.widgetKey,
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/clients/{RESELLER}/{CLIENT_KEY}/',
    summary: 'Read a client',
    credential: 'reseller-key',
    query: {},
    responses: { 200: 'The client' },
    answer(call) {
      const client = findClient(call)
      return 'status' in client ? client : ok(toClientBody(client))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/clients/{RESELLER}/{CLIENT_KEY}/',
    summary: 'Set the domains of a client',
    credential: 'reseller-key',
    query: {},
    body: { domains },
    responses: { 200: 'The domains' },
    answer(call) {
      const client = findClient(call)
      if ('status' in client) return client
      client.domains = call.body.domains
      return ok({ domains: client.domains })
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/clients/{RESELLER}/{CLIENT_KEY}/',
    summary: 'Change a client; what is left out stays, but for the plan, which then is client_enterprise',
    credential: 'reseller-key',
    query: {},
    body: { company_name: optional(filledText), ...details },
    responses: { 200: 'The client’s name, key and most agents' },
    answer(call) {
      const client = findClient(call)
      if ('status' in client) return client
      const { body } = call
      client.name = body.company_name ?? client.name
      // **Ours:** the default "in create/update requests" (spec 2.5) applies to a change too.
      client.plan = body.company_plan_name ?? DEFAULT_PLAN
      client.domains = body.domains ?? client.domains
      return ok({ agent_count: client.agentLimit, company_name: client.name, client_key: client.clientKey })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/clients/{RESELLER}/{CLIENT_KEY}/',
    summary: 'Delete a client with all that it has',
    credential: 'reseller-key',
    query: {},
    responses: { 200: 'A confirmation' },
    answer(call) {
      const client = findClient(call)
      if ('status' in client) return client
      call.service.companies.delete(client.id)
      return ok({ response: `The client ${client.name} was deleted.` })
    },
  }),
]

type Address = Pick<Call, 'service' | 'company' | 'segments'>

function isReseller({ company, segments }: Address): boolean {
  return segments.RESELLER === 'all' || segments.RESELLER === company.resellerKey
}

function unknownReseller(): Reply {
  return notFound('reseller_key', 'reseller with this key (the path has the word all in its place)')
}

function findClient(call: Address): Company | Reply {
  if (!isReseller(call)) return unknownReseller()
  const { service, company, segments } = call
  const client = clientsOf(service, company).find(({ clientKey }) => clientKey === segments.CLIENT_KEY)
  return client ?? notFound('client_key', 'client with this key')
}

function toClientBody(client: Company) {
  return {
    company_name: client.name,
    client_key: client.clientKey,
    agent_count: client.agentLimit,
    widget_key: client.widgetKey,
    rest_key: client.restKey,
    domains: client.domains,
  }
}
