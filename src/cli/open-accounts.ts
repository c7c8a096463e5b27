import { type ApiClient, createClient } from '../api/client.ts'
import { toTrustingFetch } from '../api/transport-undici.ts'
import { type AccountConfig, toAccounts } from '../config/accounts.ts'
import type { Config } from '../config/config.ts'
import type { Location, Problem } from '../config/problem.ts'
import type { SecretSource, SecretUse } from '../config/resolve-secrets.ts'
import type { Secret, SecretReference } from '../config/secret.ts'
import { isLoopbackHost } from '../http/host.ts'
import { loadSecrets } from './load-secrets.ts'

/** An account of a config, with its API client. */
export interface OpenAccount {
  readonly config: AccountConfig
  /** Uses the REST key, if there is one. */
  readonly client: ApiClient
  readonly keys: { readonly apiKey: Secret | undefined; readonly widgetKey: Secret | undefined }
}

/**
 * Opens every account of a config: reads its keys and `service.ca`, and makes a client for `service.api`.
 *
 * @param purpose `write` needs the REST key of each account; for `read` the widget key is enough
 * @returns the accounts, or all problems at once
 */
export async function openAccounts(
  config: Config,
  purpose: 'read' | 'write',
  source: SecretSource,
): Promise<{ readonly accounts: readonly OpenAccount[] } | { readonly problems: readonly Problem[] }> {
  const { service, points } = config
  const keys: readonly (SecretReference | undefined)[] = [
    config.apiKey,
    config.widgetKey,
    ...points.flatMap((point) => [point.apiKey, point.widgetKey]),
  ]
  const needed = keys.map((key): readonly [typeof key, SecretUse] => [key, 'field value'])
  const secrets = await loadSecrets([...needed, [service.ca, 'certificate']], source)
  const accounts = toAccounts(config, secrets.identify)
  const problems = [
    ...addressProblems(service.api, service.location),
    ...accounts.flatMap(({ apiKey, widgetKey, ...account }) => {
      const fault = secrets.faultOf(apiKey)
      if (fault !== undefined) return [fault]
      if (apiKey !== undefined) return []
      if (purpose === 'read' && secrets.of(widgetKey) !== undefined) return []
      return [missingKey(account, purpose), ...(purpose === 'read' ? asList(secrets.faultOf(widgetKey)) : [])]
    }),
    ...asList(secrets.faultOf(service.ca)),
  ]
  const { api } = service
  if (api === undefined || problems.length > 0) return { problems }
  const ca = secrets.of(service.ca)
  const fetch = ca && toTrustingFetch(ca.reveal())
  return {
    accounts: accounts.map((account) => {
      const [apiKey, widgetKey] = [secrets.of(account.apiKey), secrets.of(account.widgetKey)]
      const client = createClient({ baseUrl: api, apiKey, fetch })
      return { config: account, client, keys: { apiKey, widgetKey } }
    }),
  }
}

function asList<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}

function addressProblems(api: string | undefined, location: Location): readonly Problem[] {
  if (api === undefined) {
    return [
      {
        location,
        message: 'service.api and service.url are missing: one of them must give the address of the REST API',
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

function missingKey(
  { setting, location, name }: Pick<AccountConfig, 'setting' | 'location' | 'name'>,
  purpose: 'read' | 'write',
): Problem {
  const whose = name === undefined ? '' : ` for the account of ${name}`
  const widgetKey = purpose === 'read' ? `, or "${setting.replace('apiKey', 'widgetKey')}"` : ''
  return {
    location,
    message: `there is no REST key${whose}`,
    expected: `"${setting}"${widgetKey} in the config: "env:NAME", "file:/path" or the key itself`,
  }
}
