import type { CookieTransferScope } from '../api/session-options.ts'
import type { Secret } from '../config/secret.ts'
import { parseUrl } from '../http/parse-url.ts'
import { redactUrl } from '../http/redact-url.ts'
import { escapeControls } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import { type LeftAlone, renderScope, type SettingDifference } from './settings.ts'
import type { AccountWebhook, WantedWebhook, WebhooksDifference } from './webhooks.ts'

/** One setting of the account that differs from the config. */
export type AccountDifference = SettingDifference | WebhooksDifference

/** The differences in the format of a diff, one block for each setting: `-` is of the account, `+` of the `source`. */
export function renderDifferences(
  differences: readonly AccountDifference[],
  account: string,
  source: string,
  paint: Paint,
): string {
  if (differences.length === 0) return ''
  const paintLine = (line: string) => paint(line.startsWith('-') ? 'red' : 'green', line)
  const toBlock = (difference: AccountDifference) =>
    [paint('bold', difference.setting), ...renderLines(difference).map(paintLine)].join('\n')
  const head = [`--- ${account}`, `+++ ${source}`].map(paintLine).join('\n')
  return `${[head, ...differences.map(toBlock)].join('\n\n')}\n`
}

/** The lines of one difference, escaped for a terminal: categories and scopes are texts of the service. */
export function renderLines(difference: AccountDifference): readonly string[] {
  return toLines(difference).map(escapeControls)
}

/** One line for each entry that stays; empty if there is none. */
export function renderLeftAlone(entries: readonly LeftAlone[]): string {
  return entries.map(({ what, reason }) => `Left alone, since ${reason}: ${escapeControls(what)}\n`).join('')
}

/** The difference in a JSON report. Of the URL of a webhook it has only the origin, of others no credentials and no query. */
export function toReported(difference: AccountDifference): object {
  if (difference.setting !== 'webhooks') {
    if (!('target' in difference)) return difference
    const { setting, surplus, missing } = difference
    const show = (entry: string | CookieTransferScope) =>
      typeof entry === 'string' ? redactUrl(entry) : entry
    return { setting, surplus: surplus.map(show), missing: missing.map(show) }
  }
  const { setting, surplus, changed, missing } = difference
  return {
    setting,
    surplus: surplus.map((each) => ({ id: each.id, ...toShown(each) })),
    changed: changed.map(({ account }) => {
      const { id, enabled, ssl_verification } = account
      return { ...toShown(account), enabled, ssl_verification, id }
    }),
    missing: missing.map((each) => ({ place: each.place, ...toShown(each) })),
  }
}

/** `https://hooks.example.com/…`: nothing after the host of a receiver's URL is shown. */
export function toShownReceiver(url: string | Secret | undefined): string {
  const text = typeof url === 'object' ? url.reveal() : url
  if (text === undefined) return '(not returned)'
  const origin = parseUrl(text)?.origin
  return origin === undefined ? '…' : `${origin}/…`
}

function toLines(difference: AccountDifference): readonly string[] {
  switch (difference.setting) {
    case 'cookie_transfer_urls':
      return toListLines(difference.surplus.map(redactUrl), difference.missing.map(redactUrl))
    case 'cookie_transfer_scopes':
      return toListLines(difference.surplus.map(renderScope), difference.missing.map(renderScope))
    case 'webhooks':
      return toWebhookLines(difference)
    default:
      return [`- ${difference.account ?? '(not there)'}`, `+ ${difference.config}`]
  }
}

function toListLines(surplus: readonly string[], missing: readonly string[]): readonly string[] {
  return [...surplus.map((entry) => `- ${entry}`), ...missing.map((entry) => `+ ${entry}`)]
}

function toWebhookLines({ surplus, changed, missing }: WebhooksDifference): readonly string[] {
  return [
    ...surplus.map((each) => `- ${toWebhookText(each)} (id ${each.id})`),
    ...changed.flatMap(({ account, config }) => [
      `- ${toWebhookText(account)} (id ${account.id}, ${toStateText(account)})`,
      `+ ${toWebhookText(config)} (${config.place})`,
    ]),
    ...missing.map((each) => `+ ${toWebhookText(each)} (${each.place})`),
  ]
}

function toShown({ category, url }: AccountWebhook | WantedWebhook) {
  return { category, url: toShownReceiver(url) }
}

function toWebhookText(webhook: AccountWebhook | WantedWebhook): string {
  return `${webhook.category} ${toShownReceiver(webhook.url)}`
}

function toStateText({ enabled, ssl_verification }: AccountWebhook): string {
  return [
    ...(enabled ? [] : ['not enabled']),
    ...(ssl_verification ? [] : ['certificate not verified']),
  ].join(', ')
}
