import { type ApiClient, createClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { toTrustingFetch } from '../api/transport-undici.ts'
import type { Webhook } from '../api/webhooks.ts'
import type { WantedWebhook } from '../config/account-webhooks.ts'
import { type AccountConfig, toAccounts } from '../config/accounts.ts'
import type { Config, ServiceConfig, WebhookConfig } from '../config/config.ts'
import { addProblemsOfRest, loadConfig, tellAbsentFile } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { type ResolvedSecrets, resolveSecrets } from '../config/resolve-secrets.ts'
import type { Secret } from '../config/secret.ts'
import { isProtected } from '../http/host.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { toServiceFault } from './service-fault.ts'

/** An account of a config, with its API client. */
export interface OpenAccount {
  readonly config: AccountConfig
  /** Uses the REST key, if there is one. */
  readonly client: ApiClient
  readonly keys: { readonly apiKey: Secret | undefined; readonly widgetKey: Secret | undefined }
}

/** What a command needs of a config. */
export interface Needs {
  /** Whether it needs the REST key of each account, or the widget key is enough. */
  readonly restKey: boolean
  readonly webhooks: readonly WebhookConfig[]
  /** What else is wrong with the config. */
  readonly problems: readonly Problem[]
}

export interface LoadedAccounts {
  readonly config: Config
  readonly accounts: readonly OpenAccount[]
  /** The needed webhooks, one subscription for each event. */
  readonly wanted: readonly WantedWebhook[]
}

/** Loads a config and opens its accounts: reads their keys, and makes clients for `service.api`. Reports all problems at once. */
export async function loadAccounts(
  file: string | undefined,
  io: Io,
  toNeeds: (config: Config) => Needs,
): Promise<LoadedAccounts | { readonly problems: readonly Problem[] }> {
  const loaded = await loadConfig({ file, flags: {}, ...io })
  if ('problems' in loaded) {
    const findProblems = async (rest: Config) => {
      const opened = await openAccounts(rest, io, toNeeds)
      return 'problems' in opened ? opened.problems : []
    }
    return { problems: await addProblemsOfRest(loaded, findProblems) }
  }
  const opened = await openAccounts(loaded.config, io, toNeeds)
  return 'problems' in opened ? { problems: tellAbsentFile(opened.problems, loaded) } : opened
}

async function openAccounts(
  config: Config,
  io: Io,
  toNeeds: (config: Config) => Needs,
): Promise<LoadedAccounts | { readonly problems: readonly Problem[] }> {
  const { service, points } = config
  const { restKey, webhooks, problems: found } = toNeeds(config)
  const keys = [config, ...points].flatMap(({ apiKey, widgetKey }) => [apiKey, widgetKey])
  const secrets = await resolveSecrets(
    [
      ...keys.map((key) => [key, 'field value'] as const),
      [service.ca, 'certificate'],
      ...webhooks.map(({ url }) => [url, 'webhook URL'] as const),
    ],
    io,
  )
  const accounts = toAccounts(config, secrets)
  const problems = [
    ...findAddressProblems(service),
    ...accounts.flatMap((account) => findKeyProblems(account, restKey, secrets)),
    ...secrets.problemsOf(service.ca),
    ...webhooks.flatMap(({ url }) => secrets.problemsOf(url)),
    ...found,
  ]
  const { api } = service
  if (api === undefined || problems.length > 0) return { problems }
  const ca = secrets.of(service.ca)
  const fetch = ca && toTrustingFetch(ca.reveal())
  return {
    config,
    accounts: accounts.map((account) => {
      const [apiKey, widgetKey] = [secrets.of(account.apiKey), secrets.of(account.widgetKey)]
      const client = createClient({ baseUrl: api, apiKey, fetch })
      return { config: account, client, keys: { apiKey, widgetKey } }
    }),
    wanted: webhooks.flatMap(({ url: reference, events }, index) => {
      const url = secrets.of(reference)
      if (url === undefined) return []
      return events.map((category) => ({ place: `webhooks[${index}]`, url, category }))
    }),
  }
}

/** Reads all webhooks of an account. */
export async function readWebhooks({ client }: OpenAccount): Promise<readonly Webhook[]> {
  const webhooks: Webhook[] = []
  for await (const each of client.webhooks.list()) webhooks.push(each)
  return webhooks
}

/** Does what a command does with the service; if a call fails, prints why. */
export async function withService<T>(io: Io, work: () => Promise<T>): Promise<T | ExitCode> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.kind === 'aborted') return exitCode.interrupted
    io.stderr(`continuation-point: ${error.method} ${error.path}: ${toServiceFault(error)}.\n`)
    return exitCode.inconclusive
  }
}

function findAddressProblems({ api, location }: ServiceConfig): readonly Problem[] {
  if (api === undefined) {
    const message =
      'service.api and service.url are missing: one of them must give the address of the REST API'
    return [{ location, message, expected: 'a URL such as https://cobrowse.example.net' }]
  }
  if (isProtected(new URL(api))) return []
  const message =
    'service.api is plain http on a host that is not loopback: the key would cross the network in the clear'
  return [{ location, message, expected: 'an https URL' }]
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
  const expected = `"${setting}"${either} in the config: "env:NAME", "file:/path" or the key itself`
  return [{ location, message, expected }]
}
