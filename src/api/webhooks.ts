import { json, nothing } from './answer.ts'
import { eachItem, eachPage, link, type PageLinks, type PagingOptions } from './paging.ts'
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
  list(options?: PagingOptions): AsyncGenerator<Webhook, void, undefined>
  /** The same, a page at a time. */
  pages(options?: PagingOptions): AsyncGenerator<WebhookPage, void, undefined>
  create(webhook: WebhookFields, options?: CallOptions): Promise<Webhook>
  get(webhookId: number | string, options?: CallOptions): Promise<Webhook>
  /** Replaces all fields. */
  replace(webhookId: number | string, webhook: WebhookFields, options?: CallOptions): Promise<Webhook>
  delete(webhookId: number | string, options?: CallOptions): Promise<void>
}

export function createWebhooks(send: Send, root: string): Webhooks {
  const pages: Webhooks['pages'] = (call) => eachPage(send, root, '/webhooks/', webhookPage, {}, call)
  return {
    pages,
    list: (call) => eachItem(pages(call)),
    create: (body, call) => send('POST /webhooks/', json(webhook), call, { body }),
    get: (id, call) => send('GET /webhooks/{WEBHOOK_ID}/', json(webhook), call, { id }),
    replace: (id, body, call) => send('PUT /webhooks/{WEBHOOK_ID}/', json(webhook), call, { id, body }),
    delete: (id, call) => send<void>('DELETE /webhooks/{WEBHOOK_ID}/', nothing, call, { id }),
  }
}

const webhook = record<Webhook>(['id'], fields)

const webhookPage = record<WebhookPage>(['results'], {
  count: integer,
  next: link,
  previous: link,
  results: listOf(webhook),
})
