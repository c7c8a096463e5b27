import type { Webhook } from '../api/webhooks.ts'
import type { Secret } from '../config/secret.ts'
import { parseUrl } from '../http/parse-url.ts'

/** One subscription that the config wants: one event at one URL. */
export interface WantedWebhook {
  /** Its place in the config: `webhooks[0]`. */
  readonly place: string
  /** The complete URL; any part may be secret. */
  readonly url: Secret
  readonly category: string
}

/** The compared part of a webhook of the account. The service may leave out its URL (its specification, section 2.7). */
export type AccountWebhook = Omit<Webhook, 'company_id'>

/** What differs between the account's webhooks and those that the config wants. */
export interface WebhooksDifference {
  readonly setting: 'webhooks'
  /** In the account and not in the config, or there twice. */
  readonly surplus: readonly AccountWebhook[]
  /** In both, but the account's is disabled or does not verify the receiver's certificate. */
  readonly changed: readonly { readonly account: AccountWebhook; readonly config: WantedWebhook }[]
  /** In the config and not in the account. */
  readonly missing: readonly WantedWebhook[]
}

/**
 * Compares the account's webhooks with those that the config wants. A webhook is identified by its canonical
 * URL and its category.
 *
 * @returns at most one difference, or why they can't be compared, as a clause
 */
export function compareWebhooks(
  account: readonly AccountWebhook[],
  config: readonly WantedWebhook[],
): readonly WebhooksDifference[] | { readonly reason: string; readonly outcome: 'inconclusive' } {
  const hidden = account.filter(({ url }) => url === undefined).map(({ id }) => id)
  if (hidden.length > 0) {
    const which = `${hidden.length === 1 ? 'webhook' : 'webhooks'} ${hidden.join(', ')}`
    return {
      reason: `the service does not return the URL of ${which}, so they can't be compared`,
      outcome: 'inconclusive',
    }
  }
  const wanted = new Map(config.map((each) => [toKey(each), each]))
  const found = new Map<string, AccountWebhook>()
  for (const each of account) {
    const key = toKey(each)
    if (wanted.has(key) && !isInStep(found.get(key)) && (isInStep(each) || !found.has(key)))
      found.set(key, each)
  }
  const kept = new Set(found.values())
  const surplus = account.filter((each) => !kept.has(each))
  const changed = [...wanted].flatMap(([key, each]) => {
    const there = found.get(key)
    return there === undefined || isInStep(there) ? [] : [{ account: there, config: each }]
  })
  const missing = [...wanted].flatMap(([key, each]) => (found.has(key) ? [] : [each]))
  const differs = surplus.length + changed.length + missing.length > 0
  return differs ? [{ setting: 'webhooks', surplus, changed, missing }] : []
}

/** The fields of a webhook of the config for the service. */
export function toWebhookFields({ url, category }: WantedWebhook) {
  return { url: url.reveal(), category, enabled: true, ssl_verification: true }
}

function isInStep(webhook: AccountWebhook | undefined): boolean {
  return webhook?.enabled === true && webhook.ssl_verification
}

/** What identifies a webhook. */
export function toKey({ url = '', category }: AccountWebhook | WantedWebhook): string {
  const text = typeof url === 'string' ? url : url.reveal()
  return JSON.stringify([parseUrl(text)?.href ?? text, category])
}
