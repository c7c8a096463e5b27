import type { SettingDifference } from '../config/settings-difference.ts'
import type { WebhooksDifference } from '../config/webhooks-difference.ts'
import { escapeControls } from '../text/escape.ts'
import { toWebhookLines } from './webhooks-diff.ts'

/** One setting of the account that differs from the config. */
export type AccountDifference = SettingDifference | WebhooksDifference

/**
 * The differences in the format of a diff, one block for each setting: `-` is what the account has, `+` what the config
 * has. Empty if there are none.
 *
 * @param account `the account`, or its name
 */
export function renderDifferences(differences: readonly AccountDifference[], account: string): string {
  if (differences.length === 0) return ''
  const blocks = differences.map((difference) => `${difference.setting}\n${renderDifference(difference)}`)
  return `--- ${account}\n+++ the config\n\n${blocks.join('\n\n')}\n`
}

/** The lines of one difference. */
export function renderDifference(difference: AccountDifference): string {
  return toLines(difference).join('\n')
}

function toLines(difference: AccountDifference): readonly string[] {
  switch (difference.setting) {
    case 'cookie_transfer_urls':
      return toListLines(difference.surplus, difference.missing)
    case 'cookie_transfer_scopes':
      return toListLines(difference.surplus.map(toScopeText), difference.missing.map(toScopeText))
    case 'webhooks':
      return toWebhookLines(difference).map(escapeControls)
    default:
      return [`- ${difference.account ?? '(not there)'}`, `+ ${difference.config}`]
  }
}

function toListLines(surplus: readonly string[], missing: readonly string[]): readonly string[] {
  return [
    ...surplus.map((entry) => `- ${escapeControls(entry)}`),
    ...missing.map((entry) => `+ ${escapeControls(entry)}`),
  ]
}

function toScopeText(scope: {
  readonly name: string
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
}): string {
  const { name, domain, path, httponly } = scope
  return `${name} ${domain} ${path}${httponly ? ' httponly' : ''}`
}
