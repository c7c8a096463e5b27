import { isDeepStrictEqual } from 'node:util'
import type { Budgets } from '../api/budget.ts'
import { type ApiClient, createClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import type { ClientSettings } from '../api/send.ts'
import { createTrustingFetch } from '../api/transport-undici.ts'
import type { Config, ServiceConfig } from '../config/config.ts'
import { loadWith } from '../config/load.ts'
import type { Location, OrProblems, Problem } from '../config/problem.ts'
import { type ResolvedSecrets, resolveSecrets, type SecretSource } from '../config/resolve-secrets.ts'
import type { Secret } from '../config/secret.ts'
import { findPlainHttp } from '../http/host.ts'
import { toSettings } from './option-schemas.ts'
import { toServiceFault } from './service-fault.ts'
import type { AccountSettings } from './settings.ts'
import { toWanted, type Wanted } from './wanted.ts'

/** The account of a config, and what it says. */
export interface AccountFact extends Wanted {
  /** Of its REST key, set or not. */
  readonly location: Location
  readonly said: AccountSaid
}

export type AccountSaid =
  | {
      readonly kind: 'options'
      readonly options: AccountSettings
      /** Whether they were read with the REST key and with the widget key, so that both belong to this account. */
      readonly withBothKeys: boolean
    }
  /** The REST key and the widget key belong to different accounts. */
  | { readonly kind: 'two-accounts' }
  /** `reason`: why it could not be read and what to do, as a clause. */
  | { readonly kind: 'unread'; readonly reason: string }

/** Reads the account of a config for the check, trusting these certificates (PEM) too. If it can't be read, it says why. */
export async function readAccount(
  config: Config,
  secrets: ResolvedSecrets,
  certificates: readonly string[],
  budgetOf: Budgets,
): Promise<AccountFact> {
  const { apiKey, service } = config
  const location = apiKey?.location ?? { file: service.location.file, pointer: '/apiKey' }
  return { ...toWanted(config), location, said: await ask(config, secrets, certificates, budgetOf) }
}

async function ask(
  { service: { api }, ...config }: Config,
  secrets: ResolvedSecrets,
  certificates: readonly string[],
  budgetOf: Budgets,
): Promise<AccountSaid> {
  if (api === undefined) return unread('name "service.url", and "apiKey" or "widgetKey", in the config')
  const plain = findPlainHttp(new URL(api), 'the key')
  if (plain !== undefined) return unread(`service.api is ${plain}`)
  const [apiKey, widgetKey] = [secrets.of(config.apiKey), secrets.of(config.widgetKey)]
  if (apiKey === undefined && widgetKey === undefined) {
    const problems = [config.apiKey, config.widgetKey].flatMap(secrets.problemsOf)
    const reasons = problems.map(({ message }) => message).join(', and ')
    return unread(reasons || 'name "apiKey" or "widgetKey" in the config')
  }
  const fetch = certificates.length === 0 ? undefined : createTrustingFetch(certificates.join('\n'))
  const bounds = { budget: budgetOf(api), timeoutMs: 10_000 }
  try {
    return await readOptions(createClient({ baseUrl: api, apiKey, fetch, ...bounds }), { apiKey, widgetKey })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return unread(
      `${apiKey === undefined ? 'asked with the widget key, which some services accept, ' : ''}${toServiceFault(error)}`,
    )
  }
}

/**
 * Reads the options of the account that a widget key belongs to. If there is a REST key too, they are read with each key:
 * the service finds the account by either, so both results must be equal.
 *
 * @param client has the REST key, if there is one
 * @throws ApiError
 */
export async function readOptions(
  client: ApiClient,
  { apiKey, widgetKey }: { readonly apiKey: Secret | undefined; readonly widgetKey: Secret | undefined },
): Promise<Exclude<AccountSaid, { readonly kind: 'unread' }>> {
  if (apiKey === undefined || widgetKey === undefined) {
    const options = await client.options.get(widgetKey === undefined ? {} : { widgetKey })
    return { kind: 'options', options: toSettings(options, apiKey), withBothKeys: false }
  }
  const ofRestKey = await client.options.get()
  const ofWidgetKey = await client.options.get({ widgetKey })
  const named = ofRestKey.widget_key
  // Where the two are swapped, the service names the one that should be it.
  const isNamedOther = typeof named === 'string' && !['', widgetKey.reveal(), apiKey.reveal()].includes(named)
  if (isNamedOther || !isDeepStrictEqual(ofRestKey, ofWidgetKey)) return { kind: 'two-accounts' }
  return { kind: 'options', options: toSettings(ofWidgetKey, apiKey), withBothKeys: true }
}

function unread(reason: string): AccountSaid {
  return { kind: 'unread', reason }
}

/** The account of a config, with its API client. */
export interface OpenAccount extends Wanted {
  /** Uses the REST key, if there is one. */
  readonly client: ApiClient
  readonly keys: { readonly apiKey: Secret | undefined; readonly widgetKey: Secret | undefined }
}

/** What a command needs of a config. */
export interface Needs {
  /** Whether it needs the REST key, or the widget key is enough. */
  readonly restKey: boolean
  /** What else is wrong with the config. */
  readonly problems: readonly Problem[]
}

/** Loads a config, reads the keys of its account and makes its client, or reports all problems at once. */
export function loadAccount(
  file: string | undefined,
  source: SecretSource,
  toNeeds: (config: Config) => Needs,
  { budgetOf, ...calls }: Pick<ClientSettings, 'signal' | 'clock'> & { readonly budgetOf: Budgets },
): Promise<OrProblems<OpenAccount>> {
  return loadWith({ file, flags: {}, ...source }, async (config) => {
    const { service, apiKey, widgetKey } = config
    const { restKey, problems: found } = toNeeds(config)
    const secrets = await resolveSecrets(
      [
        [apiKey, 'field value'],
        [widgetKey, 'field value'],
        [service.ca, 'certificate'],
      ],
      source,
    )
    const problems = [
      ...findAddressProblems(service),
      ...findKeyProblems(config, restKey, secrets),
      ...secrets.problemsOf(service.ca),
      ...found,
    ]
    const { api } = service
    if (api === undefined || problems.length > 0) return { problems }
    const keys = { apiKey: secrets.of(apiKey), widgetKey: secrets.of(widgetKey) }
    const ca = secrets.of(service.ca)
    const fetch = ca && createTrustingFetch(ca.reveal())
    const client = createClient({ ...calls, baseUrl: api, apiKey: keys.apiKey, fetch, budget: budgetOf(api) })
    return { ...toWanted(config), client, keys }
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
  { apiKey, widgetKey, service }: Config,
  needsRestKey: boolean,
  secrets: ResolvedSecrets,
): readonly Problem[] {
  if (!needsRestKey && secrets.of(widgetKey) !== undefined) return []
  if (apiKey !== undefined) return secrets.problemsOf(apiKey)
  // A widget key is enough. If it can't be read, that is the problem, and not that there is no REST key.
  if (!needsRestKey && widgetKey !== undefined) return secrets.problemsOf(widgetKey)
  const location = { file: service.location.file, pointer: '/apiKey' }
  const either = needsRestKey ? '' : ', or "widgetKey"'
  const expected = `"apiKey"${either} in the config, such as "apiKey": "env:API_KEY"; settings sheet needs none`
  return [{ location, message: 'there is no REST key', expected }]
}
