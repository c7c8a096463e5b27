import type { ApiClient } from '../api/client.ts'
import type { Webhook } from '../api/webhooks.ts'
import type { WebhookConfig } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import type { SecretSource } from '../config/resolve-secrets.ts'
import type { AccountWebhook, WantedWebhook } from '../config/webhooks-difference.ts'
import { loadSecrets } from './load-secrets.ts'

/** Reads the URLs of the config's webhooks: one subscription for each event, or all problems at once. */
export async function loadWantedWebhooks(
  webhooks: readonly WebhookConfig[],
  source: SecretSource,
): Promise<{ readonly wanted: readonly WantedWebhook[] } | { readonly problems: readonly Problem[] }> {
  const secrets = await loadSecrets(
    webhooks.map(({ url }) => [url, 'webhook URL'] as const),
    source,
  )
  if (secrets.problems.length > 0) return { problems: secrets.problems }
  const wanted = webhooks.flatMap(({ url: reference, events }, index) => {
    const url = secrets.of(reference)
    if (url === undefined) return []
    return events.map((category) => ({ place: `webhooks[${index}]`, url, category }))
  })
  return { wanted }
}

/** @throws ApiError */
export async function readAccountWebhooks(client: ApiClient): Promise<readonly Webhook[]> {
  const webhooks: Webhook[] = []
  for await (const each of client.webhooks.list()) webhooks.push(each)
  return webhooks
}

/** Why webhooks can't be compared; a clause. */
export function tellUntold(untold: readonly AccountWebhook[]): string {
  const ids = untold.map(({ id }) => id).join(', ')
  return `the service does not return the URL of ${untold.length === 1 ? 'webhook' : 'webhooks'} ${ids}, so they can't be compared`
}
