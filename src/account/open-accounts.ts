import type { Budgets } from '../api/budget.ts'
import { type ApiClient, createTolerantClient } from '../api/client.ts'
import type { ClientSettings } from '../api/send.ts'
import { createTrustingFetch } from '../api/transport-undici.ts'
import type { Config, ServiceConfig } from '../config/config.ts'
import { loadWith } from '../config/load.ts'
import type { OrProblems, Problem } from '../config/problem.ts'
import { type ResolvedSecrets, resolveSecrets, type SecretSource } from '../config/resolve-secrets.ts'
import type { Secret } from '../config/secret.ts'
import { findPlainHttp } from '../http/host.ts'
import { type AccountConfig, toAccounts } from './accounts.ts'
import { explainAbsentClient, findRestKey, readClientKeys } from './read-accounts.ts'

/** An account of a config, with its API client. */
export interface OpenAccount {
  readonly config: AccountConfig
  /** The root of the REST API. */
  readonly service: string
  /** Uses the REST key, if there is one. */
  readonly client: ApiClient
  readonly keys: { readonly apiKey: Secret | undefined; readonly widgetKey: Secret | undefined }
}

/** What a command needs of a config. */
export interface Needs {
  /** Whether it needs the REST key of each account, or the widget key is enough. */
  readonly restKey: boolean
  /** What else is wrong with the config. */
  readonly problems: readonly Problem[]
}

export interface LoadedAccounts {
  readonly config: Config
  readonly accounts: readonly OpenAccount[]
}

/**
 * Loads a config, reads the keys of its accounts and makes their clients, or reports all problems at once.
 *
 * @throws ApiError if the list of a reseller's clients is needed and can't be read
 */
export function loadAccounts(
  file: string | undefined,
  source: SecretSource,
  toNeeds: (config: Config) => Needs,
  { budgetOf, ...calls }: Pick<ClientSettings, 'signal' | 'clock'> & { readonly budgetOf: Budgets },
): Promise<OrProblems<LoadedAccounts>> {
  return loadWith({ file, flags: {}, ...source }, async (config) => {
    const { service, points } = config
    const { restKey, problems: found } = toNeeds(config)
    const keys = [config, ...points].flatMap(({ apiKey, widgetKey }) => [apiKey, widgetKey])
    const secrets = await resolveSecrets(
      [...keys.map((key) => [key, 'field value'] as const), [service.ca, 'certificate']],
      source,
    )
    const accounts = toAccounts(config, secrets)
    // If the config's own key is a reseller's, it leads to those of its clients.
    const clients = accounts.filter(
      ({ apiKey, widgetKey, mayBeClient }) =>
        mayBeClient || (restKey && config.apiKey && widgetKey && apiKey === undefined),
    )
    const problems = [
      ...findAddressProblems(service),
      ...accounts.flatMap((account) =>
        findKeyProblems(account, restKey && !clients.includes(account), secrets),
      ),
      ...(clients.length === 0 ? [] : secrets.problemsOf(config.apiKey)),
      ...secrets.problemsOf(service.ca),
      ...found,
    ]
    const { api } = service
    if (api === undefined || problems.length > 0) return { problems: [...new Set(problems)] }
    const ca = secrets.of(service.ca)
    const settings = { ...calls, fetch: ca && createTrustingFetch(ca.reveal()), budget: budgetOf(api) }
    const open = (apiKey: Secret | undefined) => createTolerantClient({ baseUrl: api, apiKey, ...settings })
    const keysOfClients =
      clients.length === 0 ? undefined : await readClientKeys(open(secrets.of(config.apiKey)))
    const opened = accounts.map((account) => {
      const widgetKey = secrets.of(account.widgetKey)
      const apiKey = findRestKey(account, secrets, keysOfClients)
      return { config: account, service: api, client: open(apiKey), keys: { apiKey, widgetKey } }
    })
    const keyless = clients.filter((each) => findRestKey(each, secrets, keysOfClients) === undefined)
    if (keyless.length > 0) {
      const toProblems = (each: AccountConfig) => findKeyProblems(each, true, secrets)
      return { problems: keyless.flatMap(keysOfClients === undefined ? toProblems : explainAbsentClient) }
    }
    return { config, accounts: opened }
  })
}

function findAddressProblems({ api, location }: ServiceConfig): readonly Problem[] {
  if (api === undefined) {
    const message =
      'service.api and service.url are missing: one of them must give the address of the REST API'
    return [{ location, message, expected: 'a URL such as https://cobrowse.example.net' }]
  }
  const plain = findPlainHttp(new URL(api), 'the key')
  return plain === undefined
    ? []
    : [{ location, message: `service.api is ${plain}`, expected: 'an https URL' }]
}

function findKeyProblems(
  { apiKey, widgetKey, setting, location, name }: AccountConfig,
  needsRestKey: boolean,
  secrets: ResolvedSecrets,
): readonly Problem[] {
  if (apiKey !== undefined) return secrets.problemsOf(apiKey)
  // A widget key is enough. If it can't be read, that is the problem, and not that there is no REST key.
  if (!needsRestKey && widgetKey !== undefined) return secrets.problemsOf(widgetKey)
  const whose = name === undefined ? '' : ` for the account of ${name}`
  const either = needsRestKey ? '' : `, or "${setting.replace('apiKey', 'widgetKey')}"`
  const message = `there is no REST key${whose}`
  const reseller = name === undefined ? '' : '; or that of its reseller as "apiKey"'
  const expected = `"${setting}"${either} in the config: "env:NAME", "file:/path" or the key itself${reseller}`
  return [{ location, message, expected }]
}
