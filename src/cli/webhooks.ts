import { applyPart, showPart } from '../account/apply.ts'
import type { LoadedAccounts } from '../account/open-accounts.ts'
import { webhooksPart } from '../account/webhooks-part.ts'
import type { Config } from '../config/config.ts'
import { type Arguments, configOption, defineCommand, type Refusal } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { withAccounts } from './with-accounts.ts'

const ACTIONS = ['list', 'apply'] as const

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
  operands: { usage: 'list|apply', min: 1, max: 1, choices: ACTIONS },
  run,
})

async function run(
  { values, operands: [action = 'list'] }: Arguments<typeof options, (typeof ACTIONS)[number]>,
  io: Io,
): Promise<ExitCode | Refusal> {
  const dryRun = values['dry-run']
  if (dryRun && action === 'list') return { fault: '--dry-run is only for apply' }
  const toNeeds = ({ webhooks, pointsLocation: { file } }: Config) => {
    const absent = {
      location: { file, pointer: '/webhooks' },
      message: 'there are no webhooks to apply',
      expected: '"webhooks": a list of receivers, which may be empty',
    }
    const problems = action === 'apply' && webhooks === undefined ? [absent] : []
    return { restKey: true, webhooks: webhooks ?? [], problems }
  }
  const work = ({ accounts, wanted }: LoadedAccounts, asking: Io) => {
    const part = webhooksPart(wanted)
    if (action === 'list') return showPart(part, accounts, io)
    return applyPart(part, accounts, { dryRun, mayRemove: true }, asking)
  }
  return withAccounts(values.config, toNeeds, work, io)
}
