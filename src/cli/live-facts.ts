import { randomBytes } from 'node:crypto'
import { gatherLive, type LiveSource, toContacts } from '../check/ask/gather-live.ts'
import { observePages } from '../check/ask/observe-pages.ts'
import type { Facts } from '../check/facts.ts'
import { toOfflineFacts } from '../check/offline-facts.ts'
import type { Config } from '../config/config.ts'
import { renderProblems } from '../config/render-problems.ts'
import { type ResolvedSecrets, resolveSecrets } from '../config/resolve-secrets.ts'
import type { Secret } from '../config/secret.ts'
import type { NameOverride } from '../probe/name-override.ts'
import { networkProbe } from '../probe/network-probe.ts'
import type { Io } from './io.ts'
import { openProgress } from './progress.ts'
import { readAccounts } from './read-accounts.ts'
import { version } from './version.ts'

/** Options for the requests of a check. */
export interface LiveFlags {
  readonly overrides: readonly NameOverride[]
  /** PEM certificates of `--ca-file`, trusted instead of Node's own. */
  readonly certificates: readonly string[] | undefined
  /** Groups of the rules that will run: only `live` needs requests to points, only `account` to the account. */
  readonly groups: ReadonlySet<string>
  /** Whether a rule that will run needs the pages. */
  readonly asksPages: boolean
}

/** Gathers the facts of the config and, if a rule needs them, those of points, pages and account. */
export async function gatherFacts(config: Config, flags: LiveFlags, io: Io): Promise<Facts> {
  const facts = toOfflineFacts(config)
  const { groups, overrides, certificates } = flags
  // A check of bare URLs has no account. If only its rules are chosen, they report that.
  const asksAccount = groups.has('account') && (config.service.api !== undefined || groups.size === 1)
  const asksPoints = groups.has('live')
  const pages = flags.asksPages ? facts.pages : []
  if (!asksPoints && !asksAccount && pages.length === 0) return facts
  const secrets = await loadNeeded(config, groups, io)
  const api = asksAccount ? config.service.api : undefined
  const contacts = [
    ...(asksPoints ? toContacts(facts) : []),
    ...pages.flatMap(({ parsed }) => (parsed === undefined ? [] : [new URL(parsed.url).host])),
    ...(api === undefined ? [] : [new URL(api).host]),
  ]
  if (contacts.length > 0) io.stderr(`Asking ${[...new Set(contacts)].join(', ')}.\n`)
  const progress = openProgress(io)
  const ca = secrets.of(config.service.ca)
  try {
    const trusted = [...(certificates ?? []), ...(ca === undefined ? [] : [ca.reveal()])]
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
      widgetKeyOf: (point) =>
        secrets.of(config.points[facts.points.indexOf(point)]?.widgetKey ?? config.widgetKey),
      cookieName: toForwardedCookie(config),
      onQuestion: progress.show,
    }
    const live = asksPoints ? await gatherLive(facts, source) : undefined
    if (pages.length > 0) progress.show('the pages')
    const pageVisits =
      pages.length > 0
        ? await observePages(facts, {
            probe: source.probe,
            api: config.service.api,
            widgetKeys: toWidgetKeys(config, secrets),
          })
        : undefined
    const observed = { ...facts, live, ...(pageVisits && { pageVisits }) }
    if (!asksAccount) return observed
    progress.show('the account')
    return { ...observed, accounts: await readAccounts(config, secrets, trusted) }
  } finally {
    progress.close()
  }
}

function toWidgetKeys({ widgetKey, points }: Config, secrets: ResolvedSecrets): readonly Secret[] {
  return [widgetKey, ...points.map((point) => point.widgetKey)].flatMap((key) => secrets.of(key) ?? [])
}

/** If a secret can't be read, only the rules that need it are inconclusive. */
async function loadNeeded(
  { service, points, widgetKey, apiKey }: Config,
  groups: LiveFlags['groups'],
  io: Io,
): Promise<ResolvedSecrets> {
  const keys = [widgetKey, ...points.map((point) => point.widgetKey)]
  const restKeys = groups.has('account') ? [apiKey, ...points.map((point) => point.apiKey)] : []
  const secrets = await resolveSecrets(
    [
      ...restKeys.map((key) => [key, 'field value'] as const),
      ...keys.map((key) => [key, 'field value'] as const),
      [service.ca, 'certificate'],
    ],
    io,
  )
  const { problems } = secrets
  if (problems.length > 0) io.stderr(`${renderProblems(problems)}Rules that need it are inconclusive.\n`)
  return secrets
}

/** A proxy that forwards only listed cookies has to be tested with a listed one. */
function toForwardedCookie({ forward, cookies }: Config): string | undefined {
  if (forward.cookies !== 'scoped') return undefined
  const names = [...cookies.map(({ name }) => name), ...forward.alsoCookies]
  return names.find((name) => /^[\w!#$%&'*+.^`|~-]{1,64}$/.test(name))
}
