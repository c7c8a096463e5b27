import type { CookieTransferScope } from '../api/session-options.ts'
import type { Config } from '../config/config.ts'
import { toPlainText } from '../text/escape.ts'
import { toWanted } from './wanted.ts'

/** What to type into the dashboard without a REST key. The switch that makes the widget call the points is last. */
export function renderSheet(config: Config): string {
  const {
    cookie_transfer_urls: urls = [],
    cookie_transfer_scopes: scopes,
    enable_cookie_backtransfer: backTransfer,
  } = toWanted(config).wanted
  const listed = 'lists these, besides those of other hosts:'
  const steps = [
    [`cookie_transfer_urls ${listed}`, ...urls],
    scopes !== undefined && [`cookie_transfer_scopes ${listed}`, ...toTable(scopes)],
    backTransfer !== undefined && [`enable_cookie_backtransfer is ${backTransfer ? 'on' : 'off'}`],
    ['cookie_transfer_enabled is on'],
    ['cookie_transfer_proxying is on'],
  ].filter((step) => step !== false)
  const lines = steps.flatMap(([step, ...entries], index) => [
    `${index + 1}. ${step}`,
    ...entries.map((entry) => `     ${toPlainText(entry)}`),
  ])
  return ['In the settings of the account, in this order:', '', ...lines, ''].join('\n')
}

function toTable(scopes: readonly CookieTransferScope[]): readonly string[] {
  if (scopes.length === 0) return ['(none)']
  const rows = [
    ['name', 'domain', 'path', 'httponly'],
    ...scopes.map(({ name, domain, path, httponly }) => [name, domain, path, httponly ? 'yes' : 'no']),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}
