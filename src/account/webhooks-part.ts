import type { AccountPart } from './apply.ts'
import { toShownReceiver } from './difference.ts'
import { readWebhooks } from './open-accounts.ts'
import type { ReplacedWebhooks } from './replaced.ts'
import { toAccountText } from './report.ts'
import {
  compareWebhooks,
  toKey,
  toWebhookFields,
  type WantedWebhook,
  type WebhooksDifference,
} from './webhooks.ts'

/** The webhooks of an account. `keep` keeps what a change is about to replace, or returns why it can't, as a clause. */
export function webhooksPart(
  wanted: readonly WantedWebhook[],
  keep: (replaced: ReplacedWebhooks) => Promise<string | undefined>,
): AccountPart<WebhooksDifference> {
  const compare: AccountPart<WebhooksDifference>['compare'] = async (account) =>
    compareWebhooks(await readWebhooks(account), wanted)
  return {
    source: 'the config',
    async show(account) {
      const webhooks = await readWebhooks(account)
      return {
        value: webhooks.map((webhook) => ({
          ...webhook,
          url: toShownReceiver(webhook.url),
          config: wanted.find((each) => toKey(each) === toKey(webhook))?.place ?? null,
        })),
      }
    },
    compare,
    // Creates before it deletes, so that every event always has a receiver.
    async change(account, [difference]) {
      const { missing = [], changed = [], surplus = [] } = difference ?? {}
      const { client, config, service } = account
      const replaced = [...surplus, ...changed.map((each) => each.account)]
      const fault =
        replaced.length > 0 ? await keep({ account: config.name, service, webhooks: replaced }) : undefined
      if (fault !== undefined) return { reason: `not changed, since ${fault}`, outcome: 'inconclusive' }
      const { webhooks } = client
      for (const each of missing) await webhooks.create(toWebhookFields(each))
      for (const each of changed) await webhooks.replace(each.account.id, toWebhookFields(each.config))
      for (const { id } of surplus) await webhooks.delete(id)
      const done = `Created ${missing.length}, changed ${changed.length}, deleted ${surplus.length} webhooks of ${toAccountText(config)}.\n`
      return { done, left: await compare(account) }
    },
    countRemoved: (differences) => differences.reduce((sum, { surplus }) => sum + surplus.length, 0),
    inStep: (account) => `The webhooks of ${account} match the config.\n`,
  }
}
