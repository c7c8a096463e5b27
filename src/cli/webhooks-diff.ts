import type { Secret } from '../config/secret.ts'
import type { AccountWebhook, WantedWebhook, WebhooksDifference } from '../config/webhooks-difference.ts'
import { canParseUrl } from '../http/can-parse-url.ts'

/** A webhook in reports. */
export interface ShownWebhook {
  readonly category: string
  /** Only the origin: the path or the query may be secret. */
  readonly url: string
}

/** The difference in a JSON report. */
export function toShownDifference({ setting, surplus, changed, missing }: WebhooksDifference) {
  return {
    setting,
    surplus: surplus.map((each) => ({ id: each.id, ...toShown(each) })),
    changed: changed.map(({ account }) => ({ ...toShown(account), ...toStateOf(account), id: account.id })),
    missing: missing.map((each) => ({ place: each.place, ...toShown(each) })),
  }
}

/** The lines of the difference, not escaped for a terminal: a category is text of the service. */
export function toWebhookLines({ surplus, changed, missing }: WebhooksDifference): readonly string[] {
  return [
    ...surplus.map((each) => `- ${toLine(each)} (id ${each.id})`),
    ...changed.flatMap(({ account, config }) => [
      `- ${toLine(account)} (id ${account.id}, ${toStateWords(account)})`,
      `+ ${toLine(config)} (${config.place})`,
    ]),
    ...missing.map((each) => `+ ${toLine(each)} (${each.place})`),
  ]
}

/** `https://hooks.example.com/…`: nothing after the host of a receiver's URL is shown. */
export function toShownReceiver(url: string | Secret | undefined): string {
  const text = typeof url === 'object' ? url.reveal() : url
  if (text === undefined) return '(not told)'
  return canParseUrl(text) ? `${new URL(text).origin}/…` : '…'
}

function toShown({ category, url }: AccountWebhook | WantedWebhook): ShownWebhook {
  return { category, url: toShownReceiver(url) }
}

function toLine(webhook: AccountWebhook | WantedWebhook): string {
  const { category, url } = toShown(webhook)
  return `${category} ${url}`
}

function toStateOf({ enabled, ssl_verification }: AccountWebhook) {
  return { enabled, ssl_verification }
}

function toStateWords({ enabled, ssl_verification }: AccountWebhook): string {
  return [
    ...(enabled ? [] : ['not enabled']),
    ...(ssl_verification ? [] : ['certificate not verified']),
  ].join(', ')
}
