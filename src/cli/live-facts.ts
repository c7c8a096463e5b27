import { randomBytes } from 'node:crypto'
import { createClient } from '../api/client.ts'
import { ApiError, type ApiErrorKind } from '../api/errors.ts'
import { toTrustingFetch } from '../api/transport-trusting.ts'
import type { AccountFact } from '../check/account-fact.ts'
import { gatherLive, type LiveSource, toContacts } from '../check/ask/gather-live.ts'
import type { Facts } from '../check/facts.ts'
import { toOfflineFacts } from '../check/offline-facts.ts'
import type { Config } from '../config/config.ts'
import { toDerivedSettings } from '../config/derived-settings.ts'
import type { Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import { resolveSecret, type SecretUse } from '../config/resolve-secrets.ts'
import type { Secret, SecretReference } from '../config/secret.ts'
import { isLoopbackHost } from '../http/host.ts'
import type { NameOverride } from '../probe/name-override.ts'
import { networkProbe } from '../probe/network-probe.ts'
import type { Io } from './io.ts'
import { openProgress } from './progress.ts'
import { version } from './version.ts'

/** What the command line says of whom to ask, and of the way there. */
export interface LiveFlags {
  readonly overrides: readonly NameOverride[]
  /** PEM certificates of `--ca-file`, trusted in place of Node's own. */
  readonly certificates: readonly string[] | undefined
  /** Of the rules that will run: only `live` looks at the points, only `account` at the account. */
  readonly groups: ReadonlySet<string>
}

/** Gathers the words of the config and, where a rule looks at it, what the points answer and the account says. */
export async function gatherFacts(config: Config, flags: LiveFlags, io: Io): Promise<Facts> {
  const facts = toOfflineFacts(config)
  const { groups, overrides, certificates } = flags
  const [asksPoints, asksAccount] = [groups.has('live'), groups.has('account')]
  if (!asksPoints && !asksAccount) return facts
  const secrets = await loadSecrets({ ...config, points: asksPoints ? config.points : [] }, io)
  const api = asksAccount ? config.service.api : undefined
  const contacts = [
    ...(asksPoints ? toContacts(facts) : []),
    ...(api === undefined ? [] : [new URL(api).host]),
  ]
  if (contacts.length > 0) io.stderr(`Asking ${[...new Set(contacts)].join(', ')}.\n`)
  const progress = openProgress(io)
  try {
    const trusted = [...(certificates ?? []), ...(secrets.ca === undefined ? [] : [secrets.ca.reveal()])]
    const source: LiveSource = {
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
    }
    const live = asksPoints ? await gatherLive(facts, source) : undefined
    if (!asksAccount) return { ...facts, live }
    progress.show('the account')
    return { ...facts, live, account: await readAccount(config, secrets, trusted) }
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
    return unread(UNREAD[error.kind])
  }
}

function unread(reason: string): AccountFact {
  return { kind: 'unread', reason }
}

/** By the kind of the failure: what to change in the config or on the way, never an option of the client. */
const UNREAD: Readonly<Record<ApiErrorKind, string>> = {
  connection: 'the service gave no whole answer; see "service.api" and the network',
  timeout: 'the service gave no answer in time; try again',
  aborted: 'the call was broken off; try again',
  pacing: 'too many calls left this process within a minute; try again in a minute',
  'no-key': 'name "apiKey" or "widgetKey" in the config',
  credential: 'the service refused the key; see that "apiKey" is the REST key of this account',
  'not-found': 'the service knows no such account; see "service.api" and the key',
  invalid: 'the service refused the request; see the key in the config',
  'rate-limit': 'the service allows no more calls from this address for now; try again in a minute',
  refused: 'the service refused the request; see "service.api" and the key',
  failed: 'the service failed; try again',
  redirect: 'the service redirects, which is never followed; see "service.api"',
  malformed: 'the answer is not what the service documents; see "service.api"',
  'too-large': 'the answer is larger than any account\'s; see "service.api"',
}
