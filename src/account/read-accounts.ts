import { isDeepStrictEqual } from 'node:util'
import type { Budgets } from '../api/budget.ts'
import { type ApiClient, createTolerantClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { read } from '../api/schema.ts'
import { listEntries, type SessionOptions } from '../api/session-options.ts'
import { createTrustingFetch } from '../api/transport-undici.ts'
import type { Config } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import type { ResolvedSecrets } from '../config/resolve-secrets.ts'
import { Secret } from '../config/secret.ts'
import { findPlainHttp } from '../http/host.ts'
import { type AccountConfig, toAccounts } from './accounts.ts'
import { toServiceFault } from './service-fault.ts'
import type { AccountSettings } from './settings.ts'

/** An account of a config, and what it says. */
export interface AccountFact
  extends Pick<AccountConfig, 'name' | 'points' | 'setting' | 'location' | 'wanted' | 'own'> {
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

/** Reads every account of a config for the check, trusting these certificates (PEM) too. What can't be read says why. */
export async function readAccounts(
  config: Config,
  secrets: ResolvedSecrets,
  certificates: readonly string[],
  budgetOf: Budgets,
): Promise<readonly AccountFact[]> {
  const facts: AccountFact[] = []
  for (const account of toAccounts(config, secrets)) {
    const { name, points, setting, location, wanted, own } = account
    const said = await readAccount(account, config.service.api, secrets, certificates, budgetOf)
    facts.push({ name, points, setting, location, wanted, own, said })
  }
  return facts
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
    return { kind: 'options', options: toSettings(options), withBothKeys: false }
  }
  const ofRestKey = await client.options.get()
  const ofWidgetKey = await client.options.get({ widgetKey })
  const named = ofRestKey.widget_key
  const isNamedOther = typeof named === 'string' && named !== '' && named !== widgetKey.reveal()
  if (isNamedOther || !isDeepStrictEqual(ofRestKey, ofWidgetKey)) return { kind: 'two-accounts' }
  return { kind: 'options', options: toSettings(ofWidgetKey), withBothKeys: true }
}

/** The REST keys of a reseller's clients, by their widget keys; absent if the key is no reseller's. @throws ApiError */
export async function readClientKeys({ clients }: ApiClient) {
  try {
    const listed = await clients.list()
    // A field that the service leaves out is undefined.
    const withKeys = listed.filter(({ widget_key, rest_key }) => widget_key && rest_key)
    const keys = withKeys.map(({ widget_key, rest_key }) => [widget_key, new Secret(rest_key)] as const)
    return listed.length === 0 ? undefined : new Map(keys)
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.includes(error.kind)) return undefined
    throw error
  }
}

/** The REST key of an account: its own, or the one that the list of a reseller's clients has for its widget key. */
export function findRestKey(
  { apiKey, widgetKey, mayBeClient }: AccountConfig,
  secrets: ResolvedSecrets,
  keysOfClients: ReadonlyMap<string, Secret> | undefined,
): Secret | undefined {
  if (apiKey !== undefined && (!mayBeClient || keysOfClients === undefined)) return secrets.of(apiKey)
  return keysOfClients?.get(secrets.of(widgetKey)?.reveal() ?? '')
}

/** Why the list of a reseller's clients does not lead to the REST key of an account. */
export function explainAbsentClient({ points: [index = 0], location, widgetKey }: AccountConfig): Problem {
  return {
    location: widgetKey?.location ?? location,
    message: `the list of the reseller's clients has no REST key for the widget key of points[${index}]`,
    expected: `the widget key of a client in that list; or the account's own REST key as "points[${index}].apiKey"; or, if "apiKey" is that, this key as "widgetKey" of the config`,
  }
}

/** How the service may answer other accounts, which it does not document. */
const REFUSALS: readonly string[] = ['credential', 'not-found', 'refused']

/** The options that concern continuation, as `createTolerantClient` reads them. */
export function toSettings(options: SessionOptions): AccountSettings {
  const { cookie_transfer_urls: urls, cookie_transfer_scopes: scopes } = options
  const unreadable: string[] = []
  for (const setting of ['cookie_transfer_urls', 'cookie_transfer_scopes'] as const)
    for (const [index, entry] of (options[setting] ?? []).entries())
      if (unreadable.length < MOST_NAMED && !isReadable(setting, entry))
        unreadable.push(`${setting}[${index}]`)
  return {
    cookie_transfer_enabled: options.cookie_transfer_enabled,
    cookie_transfer_proxying: options.cookie_transfer_proxying,
    cookie_transfer_urls: urls?.filter((url) => isReadable('cookie_transfer_urls', url)),
    cookie_transfer_scopes: scopes?.filter((scope) => isReadable('cookie_transfer_scopes', scope)),
    enable_cookie_backtransfer: options.enable_cookie_backtransfer,
    ...(unreadable.length > 0 && { unreadable }),
  }
}

/** The settings to write; what of the account's options can't be read stays in its list. */
export function withUnreadable(settings: AccountSettings, now: SessionOptions): SessionOptions {
  const keep = (name: string, value: unknown) =>
    Array.isArray(value)
      ? [...value, ...(now[name as ListName] ?? []).filter((entry) => !isReadable(name as ListName, entry))]
      : value
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, keep(name, value)]))
}

type ListName = keyof typeof listEntries

function isReadable(setting: ListName, entry: unknown): boolean {
  return 'value' in read<unknown>(listEntries[setting], entry)
}

async function readAccount(
  account: AccountConfig,
  api: string | undefined,
  secrets: ResolvedSecrets,
  certificates: readonly string[],
  budgetOf: Budgets,
): Promise<AccountSaid> {
  if (api === undefined) return unread('name "service.url", and "apiKey" or "widgetKey", in the config')
  const plain = findPlainHttp(new URL(api), 'the key')
  if (plain !== undefined) return unread(`service.api is ${plain}`)
  const [apiKey, widgetKey] = [secrets.of(account.apiKey), secrets.of(account.widgetKey)]
  if (apiKey === undefined && widgetKey === undefined) return unread(toKeylessReason(account, secrets))
  const fetch = certificates.length === 0 ? undefined : createTrustingFetch(certificates.join('\n'))
  const bounds = { budget: budgetOf(api), timeoutMs: 10_000, limitBytes: MOST_OPTIONS_BYTES }
  const open = (key: Secret | undefined) =>
    createTolerantClient({ baseUrl: api, apiKey: key, fetch, ...bounds })
  try {
    const keysOfClients = account.mayBeClient ? await readClientKeys(open(apiKey)) : undefined
    const ownKey = findRestKey(account, secrets, keysOfClients)
    if (account.mayBeClient && ownKey === undefined) {
      const { message, expected } = explainAbsentClient(account)
      return unread(`${message}. Expected: ${expected}`)
    }
    return await readOptions(open(ownKey), { apiKey: ownKey, widgetKey })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return unread(toServiceFault(error))
  }
}

function toKeylessReason(account: AccountConfig, secrets: ResolvedSecrets): string {
  const problems = [account.apiKey, account.widgetKey].flatMap(secrets.problemsOf)
  if (problems.length > 0) return problems.map(({ message }) => message).join(', and ')
  const widgetKey = account.setting.replace('apiKey', 'widgetKey')
  return `name "${account.setting}" or "${widgetKey}" in the config`
}

function unread(reason: string): AccountSaid {
  return { kind: 'unread', reason }
}

/** Of entries that can't be read. */
const MOST_NAMED = 100
/** Room for 10,000 URLs. JSON of a hostile service may take 30 times that in memory. */
const MOST_OPTIONS_BYTES = 1_048_576
