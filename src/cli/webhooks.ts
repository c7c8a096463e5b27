import {
  type AccountWebhook,
  compareWebhooks,
  toWebhookFields,
  type WantedWebhook,
  type WebhooksDifference,
} from '../config/account-webhooks.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { toShownReceiver } from './account-diff.ts'
import { type AccountPart, applyPart, showPart } from './account-part.ts'
import { type Arguments, configOption, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { loadAccounts, readWebhooks, withService } from './open-accounts.ts'

const actions = ['list', 'apply'] as const

const options = {
  config: configOption,
  'dry-run': { summary: 'with apply: show what would change, and change nothing' },
} as const

export const command = defineCommand({
  details: `list prints the account's webhooks as JSON. apply makes them match the config's
"webhooks": it creates missing ones, enables those that are off, switches on the
verification of certificates, and deletes all others. At a terminal it asks first,
and without one it changes them at once. New webhooks are created before old ones are
deleted, so changing a URL loses no event.

  "webhooks": [{ "url": "env:WEBHOOK_URL", "events": ["session.started"] }]

The URL is secret: put it into a variable or a file. Only the host of a URL is shown.
Both actions need the REST key, apiKey. settings diff compares webhooks too.`,
  options,
  operands: { usage: 'list|apply', min: 1, max: 1, choices: actions },
  run,
})

async function run(
  { values, operands: [action = 'list'] }: Arguments<typeof options, (typeof actions)[number]>,
  io: Io,
): Promise<ExitCode | Refusal> {
  const dryRun = values['dry-run']
  if (dryRun && action === 'list') return { fault: '--dry-run is only for apply' }
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const loaded = await loadAccounts(values.config, io, ({ webhooks, pointsLocation: { file } }) => {
    const absent = {
      location: { file, pointer: '/webhooks' },
      message: 'there are no webhooks to apply',
      expected: '"webhooks": a list of receivers, which may be empty',
    }
    const problems = action === 'apply' && webhooks === undefined ? [absent] : []
    return { restKey: true, webhooks: webhooks ?? [], problems }
  })
  if ('problems' in loaded) return loaded
  const part = toPart(loaded.wanted)
  return withService(io, () =>
    action === 'list' ? showPart(part, loaded.accounts, io) : applyPart(part, loaded.accounts, dryRun, io),
  )
}

/** The webhooks of an account. */
function toPart(wanted: readonly WantedWebhook[]): AccountPart<WebhooksDifference> {
  const compare: AccountPart<WebhooksDifference>['compare'] = async (account) => {
    const differences = compareWebhooks(await readWebhooks(account), wanted)
    return 'reason' in differences ? { ...differences, code: exitCode.inconclusive } : differences
  }
  return {
    async show(account) {
      const webhooks = await readWebhooks(account)
      return {
        value: webhooks.map(({ url, ...webhook }) => ({
          ...webhook,
          url: toShownReceiver(url),
          config: wanted.find((each) => isSame(each, { ...webhook, url }))?.place ?? null,
        })),
      }
    },
    compare,
    // Creates before it deletes, so that every event always has a receiver.
    async change(account, [difference]) {
      const { missing = [], changed = [], surplus = [] } = difference ?? {}
      const { webhooks } = account.client
      for (const each of missing) await webhooks.create(toWebhookFields(each))
      for (const each of changed) await webhooks.replace(each.account.id, toWebhookFields(each.config))
      for (const { id } of surplus) await webhooks.delete(id)
      const done = `Created ${missing.length}, changed ${changed.length}, deleted ${surplus.length} webhooks.\n`
      return { done, left: await compare(account) }
    },
    inStep: (account) => `The webhooks of ${account} match the config.\n`,
  }
}

function isSame(wanted: WantedWebhook, webhook: AccountWebhook): boolean {
  const differences = compareWebhooks([webhook], [wanted])
  return !('reason' in differences) && differences.every(({ surplus }) => surplus.length === 0)
}
