import * as v from 'valibot'
import { email, filledText, optional, text } from '../schema/schema.ts'
import type { Company } from '../state/service.ts'
import { addAgent, addCompany, clientsOf, DEFAULT_PLAN, MOST_CLIENTS } from '../state/service.ts'
import { full, notFound, ok, type Reply } from './reply.ts'
import { type Named, type Route, route } from './route.ts'

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

const all = { credential: 'reseller-key', find: findClients } as const

const one = {
  credential: 'reseller-key',
  find(named: Named): Company | Reply {
    const clients = findClients(named)
    if ('status' in clients) return clients
    const { CLIENT_KEY } = named.segments
    const client = clients.find(({ clientKey }) => clientKey === CLIENT_KEY)
    return client ?? notFound('client_key', 'client with this key')
  },
} as const

function findClients({ service, company, segments }: Named): readonly Company[] | Reply {
  if (segments.RESELLER === 'all' || segments.RESELLER === company.resellerKey)
    return clientsOf(service, company)
  return notFound('reseller_key', 'reseller with this key (the path has the word all in its place)')
}

/**
 * The clients of a reseller (spec 4.5). `{RESELLER}` is `all`, or as before 2018-03-19 the reseller's own key.
 */
export const clientRoutes: readonly Route[] = [
  route('GET /clients/{RESELLER}/', 'List the clients', {
    ...all,
    responses: { 200: 'The clients' },
    answer: ({ subject }) => ok(subject.map(toClientBody)),
  }),
  route('POST /clients/{RESELLER}/', 'Create a client, with its first agent if one is described', {
    ...all,
    body: { company_name: filledText, ...details },
    responses: { 200: 'The client’s name and its keys' },
    answer({ service, company, subject, body, nowMs }) {
      if (subject.length >= MOST_CLIENTS) return full('clients')
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
  route('GET /clients/{RESELLER}/{CLIENT_KEY}/', 'Read a client', {
    ...one,
    responses: { 200: 'The client' },
    answer: ({ subject }) => ok(toClientBody(subject)),
  }),
  route('POST /clients/{RESELLER}/{CLIENT_KEY}/', 'Set the domains of a client', {
    ...one,
    body: { domains },
    responses: { 200: 'The domains' },
    answer({ subject: client, body }) {
      client.domains = body.domains
      return ok({ domains: client.domains })
    },
  }),
  route(
    'PUT /clients/{RESELLER}/{CLIENT_KEY}/',
    'Change a client; fields that are left out keep their values, except the plan, which becomes client_enterprise',
    {
      ...one,
      body: { company_name: optional(filledText), ...details },
      responses: { 200: 'The client’s name, key and maximum number of agents' },
      answer({ subject: client, body }) {
        client.name = body.company_name ?? client.name
        // **Ours:** the default "in create/update requests" (spec 2.5) applies to a change too.
        client.plan = body.company_plan_name ?? DEFAULT_PLAN
        client.domains = body.domains ?? client.domains
        return ok({ agent_count: client.agentLimit, company_name: client.name, client_key: client.clientKey })
      },
    },
  ),
  route('DELETE /clients/{RESELLER}/{CLIENT_KEY}/', 'Delete a client with all that it has', {
    ...one,
    responses: { 200: 'A confirmation' },
    answer({ service, subject: client }) {
      service.companies.delete(client.id)
      return ok({ response: `The client ${client.name} was deleted.` })
    },
  }),
]

function toClientBody(client: Company) {
  return {
    company_name: client.name,
    company_plan_name: client.plan,
    client_key: client.clientKey,
    agent_count: client.agentLimit,
    widget_key: client.widgetKey,
    rest_key: client.restKey,
    domains: client.domains,
  }
}
