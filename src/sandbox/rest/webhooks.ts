import { queryInteger } from '../schema/query.ts'
import { boolean, filledText, optional, webUrl } from '../schema/schema.ts'
import type { Company, Webhook } from '../state/service.ts'
import { addWebhook, MOST_WEBHOOKS } from '../state/service.ts'
import { answerPage } from './page.ts'
import { full, notFound, ok } from './reply.ts'
import { defineRoute, itemOf, type Named, type Route } from './route.ts'

const members = { url: webUrl, category: filledText, enabled: boolean, ssl_verification: boolean } as const

const one = {
  path: '/webhooks/{WEBHOOK_ID}/',
  find: ({ company, segments }: Named) =>
    itemOf(company.webhooks, segments.WEBHOOK_ID) ?? notFound('webhook_id', 'webhook with this id'),
}

/** Webhooks (spec 4.8). */
export const webhookRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/webhooks/',
    summary: 'List the webhooks page by page',
    query: { page: optional(queryInteger(1)) },
    responses: { 200: 'A page of webhooks' },
    answer(call) {
      const all = [...call.company.webhooks.values()]
      return answerPage(call, all, (each) => toWebhookBody(each, call.company), { count: all.length })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/',
    summary: 'Register a webhook',
    body: members,
    responses: { 201: 'The webhook' },
    answer({ service, company, body }) {
      if (company.webhooks.size >= MOST_WEBHOOKS) return full('webhooks')
      return { status: 201, json: toWebhookBody(addWebhook(service, company, body), company) }
    },
  }),
  defineRoute({
    method: 'GET',
    ...one,
    summary: 'Read a webhook',
    responses: { 200: 'The webhook' },
    answer: ({ company, subject }) => ok(toWebhookBody(subject, company)),
  }),
  defineRoute({
    method: 'PUT',
    ...one,
    summary: 'Replace all fields of a webhook',
    body: members,
    responses: { 200: 'The webhook' },
    answer({ company, subject: { id }, body }) {
      const changed = { id, ...body }
      company.webhooks.set(id, changed)
      return ok(toWebhookBody(changed, company))
    },
  }),
  defineRoute({
    method: 'DELETE',
    ...one,
    summary: 'Delete a webhook',
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
