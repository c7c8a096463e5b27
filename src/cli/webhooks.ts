import { applyPart, showPart } from '../account/apply.ts'
import type { LoadedAccounts } from '../account/open-accounts.ts'
import type { ReplacedWebhooks } from '../account/replaced.ts'
import { webhooksPart } from '../account/webhooks-part.ts'
import type { Config } from '../config/config.ts'
import { type Arguments, configOption, defineCommand, type Outcome } from './command.ts'
import type { Io } from './io.ts'
import { openReplacedFile } from './replaced-file.ts'
import { withAccounts } from './with-accounts.ts'

const ACTIONS = ['list', 'apply'] as const

const options = {
  config: configOption,
  'dry-run': { summary: 'with apply: show what would change, and change nothing' },
  remove: { summary: 'with apply: delete webhooks also without a terminal' },
  save: { value: 'FILE', summary: 'with apply: keep what is replaced here, not beside the config' },
} as const

export const command = defineCommand({
  details: `list prints the account's webhooks as JSON. apply makes them match the config's
"webhooks": it creates missing ones, enables those that are off, switches on the
verification of certificates, and deletes all others. At a terminal it asks
first; without one it changes nothing if that deletes any, unless --remove is given. New
webhooks are created before old ones are deleted, so changing a URL loses no event. What
it changed or deleted is kept in a file beside the config, with the complete URLs; only
its owner may read it.

  "webhooks": [{ "url": "env:WEBHOOK_URL", "events": ["session.started"] }]

The URL is secret: put it into a variable or a file. Both actions need the REST key,
apiKey. settings diff compares webhooks too.`,
  options,
  operands: { usage: 'list|apply', min: 1, max: 1, choices: ACTIONS },
  run,
})

async function run(
  { values, operands: [action = 'list'] }: Arguments<typeof options, (typeof ACTIONS)[number]>,
  io: Io,
): Promise<Outcome> {
  const stray = (['dry-run', 'remove', 'save'] as const).find((flag) => values[flag])
  if (stray !== undefined && action === 'list') return { fault: `--${stray} is only for apply` }
  const toNeeds = ({ webhooks, pointsLocation: { file } }: Config) => {
    const absent = {
      location: { file, pointer: '/webhooks' },
      message: 'there are no webhooks to apply',
      expected: '"webhooks": a list of receivers, which may be empty',
    }
    const problems = action === 'apply' && webhooks === undefined ? [absent] : []
    return { restKey: true, webhooks: webhooks ?? [], problems }
  }
  const work = async ({ accounts, wanted }: LoadedAccounts, asking: Io) => {
    const replaced = openReplacedFile<ReplacedWebhooks>(values.config, values.save, io)
    const part = webhooksPart(wanted, replaced.keep)
    if (action === 'list') return showPart(part, accounts, io)
    try {
      const flags = { dryRun: values['dry-run'], mayRemove: values.remove }
      return await applyPart(part, accounts, flags, asking)
    } finally {
      replaced.tellUndo(() => PUT_BACK)
    }
  }
  return withAccounts(values.config, toNeeds, work, io)
}

const PUT_BACK =
  'It has the secret URLs.\nTo put a webhook back, add its URL to "webhooks" in the config, and run webhooks apply.'
