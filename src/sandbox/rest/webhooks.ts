import { queryInteger } from '../shape/query.ts'
import { boolean, filledText, webUrl } from '../shape/scalars.ts'
import { optional, type ValuesOf } from '../shape/shape.ts'
import type { Company, Webhook } from '../state/company.ts'
import { addWebhook, MOST_WEBHOOKS } from '../state/service.ts'
import { toPage } from './page.ts'
import { full, notFound, ok, type Reply } from './reply.ts'
import { defineRoute, type Route } from './route.ts'

const members = { url: webUrl, category: filledText, enabled: boolean, ssl_verification: boolean } as const

/** Webhooks (spec 4.8). */
export const webhookRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/webhooks/',
    summary: 'List the webhooks page by page',
    credential: 'rest-key',
    query: { page: optional(queryInteger(1)) },
    responses: { 200: 'A page of webhooks' },
    answer({ service, company, query, root, target }) {
      const all = [...company.webhooks.values()]
      const page = toPage(all, query.page ?? 1, service.pageSize, root, target)
      if (page === undefined) return notFound('page', 'page of this number')
      const { count, next, previous, items } = page
      return ok({ count, next, previous, results: items.map((each) => toWebhookBody(each, company)) })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/',
    summary: 'Register a webhook',
    credential: 'rest-key',
    query: {},
    body: members,
    responses: { 201: 'The webhook' },
    answer({ service, company, body }) {
      if (company.webhooks.size >= MOST_WEBHOOKS) return full('webhooks')
      const webhook = addWebhook(service, company, toSettings(body))
      return { status: 201, json: toWebhookBody(webhook, company) }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/{WEBHOOK_ID}/',
    summary: 'Read a webhook',
    credential: 'rest-key',
    query: {},
    responses: { 200: 'The webhook' },
    answer({ company, segments }) {
      const webhook = findWebhook(company, segments.WEBHOOK_ID)
      return webhook === undefined ? unknownWebhook() : ok(toWebhookBody(webhook, company))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/webhooks/{WEBHOOK_ID}/',
    summary: 'Replace what a webhook says',
    credential: 'rest-key',
    query: {},
    body: members,
    responses: { 200: 'The webhook' },
    answer({ company, segments, body }) {
      const webhook = findWebhook(company, segments.WEBHOOK_ID)
      if (webhook === undefined) return unknownWebhook()
      const changed = { id: webhook.id, ...toSettings(body) }
      company.webhooks.set(webhook.id, changed)
      return ok(toWebhookBody(changed, company))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/webhooks/{WEBHOOK_ID}/',
    summary: 'Delete a webhook',
    credential: 'rest-key',
    query: {},
    responses: { 204: 'No content' },
    answer({ company, segments }) {
      const webhook = findWebhook(company, segments.WEBHOOK_ID)
      if (webhook === undefined) return unknownWebhook()
      company.webhooks.delete(webhook.id)
      return { status: 204 }
    },
  }),
]

function findWebhook(company: Company, id = ''): Webhook | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? company.webhooks.get(Number(id)) : undefined
}

function unknownWebhook(): Reply {
  return notFound('webhook_id', 'webhook with this id')
}

function toSettings(body: ValuesOf<typeof members>): Omit<Webhook, 'id'> {
  const { url, category, enabled, ssl_verification } = body
  return { url, category, isEnabled: enabled, verifiesTls: ssl_verification }
}

function toWebhookBody({ id, url, category, isEnabled, verifiesTls }: Webhook, company: Company) {
  return { id, url, category, enabled: isEnabled, ssl_verification: verifiesTls, company_id: company.id }
}
