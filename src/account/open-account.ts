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
import { toWanted, type Wanted } from './wanted.ts'

/** The account of a config, with its API client. */
export interface OpenAccount extends Wanted {
  /** The root of the REST API. */
  readonly service: string
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
    const client = createTolerantClient({
      ...calls,
      baseUrl: api,
      apiKey: keys.apiKey,
      fetch,
      budget: budgetOf(api),
    })
    return { ...toWanted(config), service: api, client, keys }
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
  if (apiKey !== undefined) return secrets.problemsOf(apiKey)
  // A widget key is enough. If it can't be read, that is the problem, and not that there is no REST key.
  if (!needsRestKey && widgetKey !== undefined) return secrets.problemsOf(widgetKey)
  const location = { file: service.location.file, pointer: '/apiKey' }
  const either = needsRestKey ? '' : ', or "widgetKey"'
  const expected = `"apiKey"${either} in the config: "env:NAME", "file:/path" or the key itself`
  return [{ location, message: 'there is no REST key', expected }]
}
