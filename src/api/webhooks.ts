import { json, nothing } from './answer.ts'
import { eachPage, link, type PageLinks } from './paging.ts'
import type { CallOptions } from './request.ts'
import { type Fields, flag, integer, integerId, listOf, record, text } from './schema.ts'
import type { Send } from './send.ts'

const fields = {
  id: integerId,
  /** Where events are sent. One of the service's descriptions leaves it out of answers. */
  url: text,
  /** `session.started` is the only documented category. */
  category: text,
  /** A disabled webhook is kept. */
  enabled: flag,
  /** Whether the receiver's TLS certificate is verified. */
  ssl_verification: flag,
  company_id: integerId,
}

/** A receiver of the service's events (spec 2.7). */
export type Webhook = Fields<typeof fields, 'url'>

/** All fields are required, to create a webhook and to replace one. */
export type WebhookFields = Required<Pick<Webhook, 'url' | 'category' | 'enabled' | 'ssl_verification'>>

export interface WebhookPage extends PageLinks {
  /** On all pages together. */
  readonly count: number
  readonly results: readonly Webhook[]
}

/** Spec 4.8. */
export interface Webhooks {
  /** Every webhook; pages are fetched as the loop reaches them. */
  list(options?: CallOptions): AsyncGenerator<Webhook, void, undefined>
  /** The same, a page at a time. */
  pages(options?: CallOptions): AsyncGenerator<WebhookPage, void, undefined>
  create(webhook: WebhookFields, options?: CallOptions): Promise<Webhook>
  get(webhookId: number | string, options?: CallOptions): Promise<Webhook>
  /** Replaces all fields. */
  replace(webhookId: number | string, webhook: WebhookFields, options?: CallOptions): Promise<Webhook>
  delete(webhookId: number | string, options?: CallOptions): Promise<void>
}

export function createWebhooks(send: Send, root: string): Webhooks {
  const pages: Webhooks['pages'] = (options = {}) =>
    eachPage(send, root, { path: all, query: {}, schema: webhookPage }, options)
  return {
    pages,
    list: async function* (options) {
      for await (const { results } of pages(options)) yield* results
    },
    create: (body, { signal } = {}) => send({ method: 'POST', path: all, body, signal }, json(webhook)),
    get: (id, { signal } = {}) => send({ method: 'GET', path: one, id, signal }, json(webhook)),
    replace: (id, body, { signal } = {}) =>
      send({ method: 'PUT', path: one, id, body, signal }, json(webhook)),
    delete: (id, { signal } = {}) => send<void>({ method: 'DELETE', path: one, id, signal }, nothing),
  }
}

const all = '/webhooks/'

const one = '/webhooks/{WEBHOOK_ID}/'

const webhook = record<Webhook>(['id'], fields)

const webhookPage = record<WebhookPage>(['results'], {
  count: integer,
  next: link,
  previous: link,
  results: listOf(webhook),
})
