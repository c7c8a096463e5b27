import { type Company, type Webhook, webhookMembers } from '../state/company.ts'
import { integer, optional } from '../state/schema.ts'
import { addWebhook } from '../state/service.ts'
import { answerPage, notFound } from './reply.ts'
import { itemOf, type Named, type Route, route } from './route.ts'

const find = ({ company, segments }: Named) =>
  itemOf(company.webhooks, segments.WEBHOOK_ID) ?? notFound('webhook_id', 'webhook with this id')

/** Webhooks (spec 4.8). */
export const webhookRoutes: readonly Route[] = [
  route('GET /webhooks/', {
    query: { page: optional(integer(1)) },
    answer(call) {
      const all = [...call.company.webhooks.values()]
      return answerPage(call, all, (each) => toWebhookBody(each, call.company), { count: all.length })
    },
  }),
  route('POST /webhooks/', {
    body: webhookMembers,
    status: 201,
    answer: ({ service, company, body }) => toWebhookBody(addWebhook(service, company, body), company),
  }),
  route('GET /webhooks/{WEBHOOK_ID}/', {
    find,
    answer: ({ company, subject }) => toWebhookBody(subject, company),
  }),
  route('PUT /webhooks/{WEBHOOK_ID}/', {
    find,
    body: webhookMembers,
    answer: ({ company, subject, body }) => toWebhookBody(Object.assign(subject, body), company),
  }),
  route('DELETE /webhooks/{WEBHOOK_ID}/', {
    find,
    status: 204,
    answer({ company, subject: { id } }) {
      company.webhooks.delete(id)
    },
  }),
]

function toWebhookBody(webhook: Webhook, { id }: Company) {
  return { ...webhook, company_id: id }
}
