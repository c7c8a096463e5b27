import type { ApiClient } from '../api/client.ts'
import { createClient } from '../api/client.ts'
import { toTrustingFetch } from '../api/transport-trusting.ts'
import type { Config } from '../config/config.ts'
import type { Location, Problem } from '../config/problem.ts'
import { resolveSecret, type SecretSource } from '../config/resolve-secrets.ts'
import type { Secret, SecretReference } from '../config/secret.ts'
import { isLoopbackHost } from '../http/host.ts'

/**
 * Opens a client of the account that a config names: `service.api`, `apiKey`, and `service.ca` if it is there. No other
 * secret is read.
 *
 * @returns the client, or every fault at once
 */
export async function toAccountClient(
  { service, apiKey }: Config,
  source: SecretSource,
): Promise<{ readonly client: ApiClient } | { readonly problems: readonly Problem[] }> {
  const key = await resolve(apiKey, 'field value', source)
  const ca = await resolve(service.ca, 'certificate', source)
  const problems = [
    ...addressProblems(service.api, service.location),
    ...(apiKey === undefined ? [missingKey(service.location)] : []),
    ...key.problems,
    ...ca.problems,
  ]
  if (service.api === undefined || problems.length > 0) return { problems }
  const fetch = ca.secret && toTrustingFetch(ca.secret.reveal())
  return { client: createClient({ baseUrl: service.api, apiKey: key.secret, fetch }) }
}

async function resolve(
  reference: SecretReference | undefined,
  use: 'field value' | 'certificate',
  source: SecretSource,
): Promise<{ readonly secret?: Secret; readonly problems: readonly Problem[] }> {
  if (reference === undefined) return { problems: [] }
  const resolved = await resolveSecret(reference, use, source)
  return 'problem' in resolved ? { problems: [resolved.problem] } : { ...resolved, problems: [] }
}

function addressProblems(api: string | undefined, location: Location): readonly Problem[] {
  if (api === undefined) {
    return [
      {
        location,
        message: 'service.api and service.url are missing: one of them names the REST API of the account',
        expected: 'a URL such as https://cobrowse.example.net',
      },
    ]
  }
  const { protocol, hostname } = new URL(api)
  if (protocol === 'https:' || isLoopbackHost(hostname)) return []
  return [
    {
      location,
      message:
        'service.api is plain http on a host that is not loopback: the key would cross the network in the clear',
      expected: 'an https URL',
    },
  ]
}

function missingKey({ file }: Location): Problem {
  return {
    location: { file, pointer: '/apiKey' },
    message: 'there is no REST key',
    expected: '"apiKey" in the config: "env:NAME", "file:/path" or the key itself',
  }
}
