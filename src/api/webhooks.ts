import { nothing, pageOf, record } from './answer.ts'
import { eachItem, eachPage, type PageLinks, type PagingOptions } from './paging.ts'
import type { CallOptions } from './request.ts'
import type { Send } from './send.ts'

/** All are required, to create a webhook and to replace one. */
export interface WebhookFields {
  /** Where events are sent. */
  readonly url: string
  /** `session.started` is the only documented category. */
  readonly category: string
  /** A disabled webhook is kept. */
  readonly enabled: boolean
  /** Whether the receiver's TLS certificate is verified. */
  readonly ssl_verification: boolean
}

/** A receiver of the service's events (spec 2.7). */
export interface Webhook extends Omit<WebhookFields, 'url'> {
  readonly id: number
  /** One of the service's descriptions leaves it out of answers. */
  readonly url?: string
  readonly company_id: number
}

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
  /** Replaces all fields, by those of another webhook too; one without a `url` is a TypeError. */
  replace(
    webhookId: number | string,
    webhook: WebhookFields | Webhook,
    options?: CallOptions,
  ): Promise<Webhook>
  /** Switches a webhook on or off. The service can only replace it whole, so this reads it first, `url` included. */
  setEnabled(webhookId: number | string, enabled: boolean, options?: CallOptions): Promise<Webhook>
  delete(webhookId: number | string, options?: CallOptions): Promise<void>
}

export function createWebhooks(send: Send): Webhooks {
  const webhook = record<Webhook>(IDS, 'id')
  const pages: Webhooks['pages'] = (call) => eachPage(send, '/webhooks/', pageOf<WebhookPage>(IDS), {}, call)
  const replace: Webhooks['replace'] = async (id, given, call) =>
    send('PUT /webhooks/{WEBHOOK_ID}/', webhook, call, { id, body: toFields(given) })
  return {
    pages,
    list: (call) => eachItem(pages(call)),
    create: (body, call) => send('POST /webhooks/', webhook, call, { body }),
    get: (id, call) => send('GET /webhooks/{WEBHOOK_ID}/', webhook, call, { id }),
    replace,
    setEnabled: async (id, enabled, call) => {
      const whole = await send('GET /webhooks/{WEBHOOK_ID}/', record<Webhook>(IDS, 'id', 'url'), call, { id })
      return replace(id, { ...whole, enabled }, call)
    },
    delete: (id, call) => send<void>('DELETE /webhooks/{WEBHOOK_ID}/', nothing, call, { id }),
  }
}

const IDS = { id: 'integer', company_id: 'integer' } as const

/** @throws TypeError without a URL, which nobody but the service may know */
function toFields({ url, category, enabled, ssl_verification }: WebhookFields | Webhook): WebhookFields {
  if (url === undefined) throw new TypeError('The webhook to replace has no url, which the service requires')
  return { url, category, enabled, ssl_verification }
}
