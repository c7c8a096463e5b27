import { queryInteger } from '../schema/query.ts'
import { optional } from '../schema/schema.ts'
import type { Company, Webhook } from '../state/service.ts'
import { addWebhook, MOST_WEBHOOKS, webhookMembers } from '../state/service.ts'
import { answerPage } from './page.ts'
import { full, notFound, ok } from './reply.ts'
import { itemOf, type Named, type Route, route } from './route.ts'

const find = ({ company, segments }: Named) =>
  itemOf(company.webhooks, segments.WEBHOOK_ID) ?? notFound('webhook_id', 'webhook with this id')

/** Webhooks (spec 4.8). */
export const webhookRoutes: readonly Route[] = [
  route('GET /webhooks/', 'List the webhooks page by page', {
    query: { page: optional(queryInteger(1)) },
    responses: { 200: 'A page of webhooks' },
    answer(call) {
      const all = [...call.company.webhooks.values()]
      return answerPage(call, all, (each) => toWebhookBody(each, call.company), { count: all.length })
    },
  }),
  route('POST /webhooks/', 'Register a webhook', {
    body: webhookMembers,
    responses: { 201: 'The webhook' },
    answer({ service, company, body }) {
      if (company.webhooks.size >= MOST_WEBHOOKS) return full('webhooks')
      return { status: 201, json: toWebhookBody(addWebhook(service, company, body), company) }
    },
  }),
  route('GET /webhooks/{WEBHOOK_ID}/', 'Read a webhook', {
    find,
    responses: { 200: 'The webhook' },
    answer: ({ company, subject }) => ok(toWebhookBody(subject, company)),
  }),
  route('PUT /webhooks/{WEBHOOK_ID}/', 'Replace all fields of a webhook', {
    find,
    body: webhookMembers,
    responses: { 200: 'The webhook' },
    answer({ company, subject: { id }, body }) {
      const changed = { id, ...body }
      company.webhooks.set(id, changed)
      return ok(toWebhookBody(changed, company))
    },
  }),
  route('DELETE /webhooks/{WEBHOOK_ID}/', 'Delete a webhook', {
    find,
    responses: { 204: 'No content' },
    answer({ company, subject: { id } }) {
      company.webhooks.delete(id)
      return { status: 204 }
    },
  }),
]

function toWebhookBody(webhook: Webhook, { id }: Company) {
  return { ...webhook, company_id: id }
}
