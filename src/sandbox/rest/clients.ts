import * as v from 'valibot'
import type { Company } from '../state/company.ts'
import { email, filledText, optional, text } from '../state/schema.ts'
import { addAgent, addCompany, clientsOf, DEFAULT_PLAN, removeCompany } from '../state/service.ts'
import { notFound } from './reply.ts'
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

const all = {
  credential: 'reseller-key',
  find({ service, company, segments }: Named): readonly Company[] | Response {
    const isOwn = segments.RESELLER === 'all' || segments.RESELLER === company.resellerKey
    if (isOwn) return clientsOf(service, company)
    return notFound('reseller_key', 'reseller with this key (the path has the word all in its place)')
  },
} as const

const one = {
  credential: 'reseller-key',
  find(named: Named): Company | Response {
    const clients = all.find(named)
    if (clients instanceof Response) return clients
    const { CLIENT_KEY } = named.segments
    const client = clients.find(({ client_key }) => client_key === CLIENT_KEY)
    return client ?? notFound('client_key', 'client with this key')
  },
} as const

/** The clients of a reseller (spec 4.5). `{RESELLER}` is `all`, or as before 2018-03-19 the reseller's own key. */
export const clientRoutes: readonly Route[] = [
  route('GET /clients/{RESELLER}/', { ...all, answer: ({ subject }) => subject.map(toClientBody) }),
  route('POST /clients/{RESELLER}/', {
    ...all,
    body: { company_name: filledText, ...details },
    answer({ service, company, body, nowMs }) {
      const { agent_email, agent_name = agent_email, agent_password: _, ...given } = body
      const client = addCompany(service, { ...given, resellerId: company.id })
      if (agent_email !== undefined && agent_name !== undefined)
        addAgent(service, client, { agent_name, agent_email, role: 'admin', lastLoginMs: nowMs })
      const { company_name, client_key, rest_key, widget_key } = client
      return { company_name, client_key, rest_key, widget_key }
    },
  }),
  route('GET /clients/{RESELLER}/{CLIENT_KEY}/', { ...one, answer: ({ subject }) => toClientBody(subject) }),
  route('POST /clients/{RESELLER}/{CLIENT_KEY}/', {
    ...one,
    body: { domains },
    answer({ subject: client, body }) {
      client.domains = body.domains
      return { domains: client.domains }
    },
  }),
  route('PUT /clients/{RESELLER}/{CLIENT_KEY}/', {
    ...one,
    body: { company_name: optional(filledText), ...details },
    answer({ subject: client, body, warnings }) {
      client.company_name = body.company_name ?? client.company_name
      // **Ours:** the default "in create/update requests" (spec 2.5) applies to a change too.
      client.company_plan_name = body.company_plan_name ?? DEFAULT_PLAN
      if (body.company_plan_name === undefined)
        warnings.push(`Without company_plan_name the plan becomes ${DEFAULT_PLAN}, as we read the document`)
      client.domains = body.domains ?? client.domains
      const { agent_count, company_name, client_key } = client
      return { agent_count, company_name, client_key }
    },
  }),
  route('DELETE /clients/{RESELLER}/{CLIENT_KEY}/', {
    ...one,
    answer({ service, subject: client }) {
      removeCompany(service, client)
      return { response: `The client ${client.company_name} was deleted.` }
    },
  }),
]

function toClientBody(client: Company) {
  const { company_name, company_plan_name, client_key, agent_count, widget_key, rest_key, domains } = client
  return { company_name, company_plan_name, client_key, agent_count, widget_key, rest_key, domains }
}
