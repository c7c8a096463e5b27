import { randomBytes } from 'node:crypto'
import { createClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { toTrustingFetch } from '../api/transport-trusting.ts'
import type { AccountFact } from '../check/account-fact.ts'
import type { Facts } from '../check/facts.ts'
import { gatherLive, toContacts } from '../check/live/gather-live.ts'
import { toOfflineFacts } from '../check/offline-facts.ts'
import type { NameOverride } from '../check/probe/name-override.ts'
import { networkProbe } from '../check/probe/network-probe.ts'
import type { Config } from '../config/config.ts'
import { toDerivedSettings } from '../config/derived-settings.ts'
import type { Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import { resolveSecret, type SecretUse } from '../config/resolve-secrets.ts'
import type { Secret, SecretReference } from '../config/secret.ts'
import { isLoopbackHost } from '../http/host.ts'
import type { Io } from './io.ts'
import { openProgress } from './progress.ts'
import { version } from './version.ts'

/** What the command line says of the way to the points. */
export interface LiveFlags {
  readonly overrides: readonly NameOverride[]
  /** PEM certificates of `--ca-file`, trusted in place of Node's own. */
  readonly certificates: readonly string[] | undefined
}

/** Gathers everything: the words of the config, what the points answer, and what the account says. */
export async function gatherFacts(config: Config, flags: LiveFlags, io: Io): Promise<Facts> {
  const facts = toOfflineFacts(config)
  const secrets = await loadSecrets(config, io)
  const api = config.service.api
  const contacts = [...toContacts(facts), ...(api === undefined ? [] : [new URL(api).host])]
  if (contacts.length > 0) io.stderr(`Asking ${[...new Set(contacts)].join(', ')}.\n`)
  const progress = openProgress(io)
  try {
    const { overrides, certificates } = flags
    const trusted = [...(certificates ?? []), ...(secrets.ca === undefined ? [] : [secrets.ca.reveal()])]
    const live = await gatherLive(facts, {
      probe: networkProbe({
        version,
        overrides,
        trust: certificates && { kind: 'only', certificates },
      }),
      serviceProbe: networkProbe({ version, overrides, trust: { kind: 'also', certificates: trusted } }),
      runId: randomBytes(8).toString('hex'),
      nowMs: Date.now(),
      keepCookiePath: config.service.keepCookiePath,
      widgetKeyOf: (point) => secrets.widgetKeys[facts.points.indexOf(point)],
      cookieName: toForwardedCookie(config),
      onQuestion: progress.show,
    })
    progress.show('the account')
    const account = await readAccount(config, secrets, trusted)
    return { ...facts, live, account }
  } finally {
    progress.close()
  }
}

interface Secrets {
  /** In the order of the points. */
  readonly widgetKeys: readonly (Secret | undefined)[]
  readonly widgetKey: Secret | undefined
  readonly apiKey: Secret | undefined
  readonly ca: Secret | undefined
}

/** A secret that can't be read makes inconclusive what needs it; the rest can still be told. */
async function loadSecrets({ service, points, widgetKey, apiKey }: Config, io: Io): Promise<Secrets> {
  const problems: Problem[] = []
  const known = new Map<SecretReference, Secret | undefined>()
  const load = async (reference: SecretReference | undefined, use: SecretUse) => {
    if (reference === undefined || known.has(reference)) return reference && known.get(reference)
    const resolved = await resolveSecret(reference, use, io)
    if ('problem' in resolved) problems.push(resolved.problem)
    const secret = 'secret' in resolved ? resolved.secret : undefined
    known.set(reference, secret)
    return secret
  }
  const secrets: Secrets = {
    widgetKey: await load(widgetKey, 'field value'),
    apiKey: await load(apiKey, 'field value'),
    ca: await load(service.ca, 'certificate'),
    widgetKeys: await sequence(points, (point) => load(point.widgetKey ?? widgetKey, 'field value')),
  }
  if (problems.length > 0) io.stderr(`${renderProblems(problems)}What needs it is inconclusive.\n`)
  return secrets
}

async function sequence<T, R>(items: readonly T[], next: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (const item of items) results.push(await next(item))
  return results
}

/** A proxy that forwards only listed cookies has to be asked with a listed one. */
function toForwardedCookie({ forward, cookies }: Config): string | undefined {
  if (forward.cookies !== 'scoped') return undefined
  const names = [...cookies.map(({ name }) => name), ...forward.alsoCookies]
  return names.find((name) => /^[\w!#$%&'*+.^`|~-]{1,64}$/.test(name))
}

async function readAccount(
  config: Config,
  { apiKey, widgetKey }: Secrets,
  certificates: readonly string[],
): Promise<AccountFact | undefined> {
  const { api } = config.service
  if (api === undefined) return undefined
  const { protocol, hostname } = new URL(api)
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
    return unread(
      'service.api is plain http on a host that is not loopback, and the key would cross in the clear',
    )
  }
  if (apiKey === undefined && widgetKey === undefined) {
    return unread('name "apiKey" or "widgetKey" in the config')
  }
  const fetch = certificates.length === 0 ? undefined : toTrustingFetch(certificates.join('\n'))
  const client = createClient({ baseUrl: api, apiKey, fetch, timeoutMs: 10_000 })
  try {
    const options = await client.options.get(apiKey === undefined ? { widgetKey } : {})
    return { kind: 'options', options, wanted: toDerivedSettings(config) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return unread(error.message)
  }
}

function unread(reason: string): AccountFact {
  return { kind: 'unread', reason }
}
