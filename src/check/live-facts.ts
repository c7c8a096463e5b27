import { randomBytes } from 'node:crypto'
import type { AccountFact } from '../account/read-account.ts'
import type { Config } from '../config/config.ts'
import { renderProblems } from '../config/problem.ts'
import { type ResolvedSecrets, resolveSecrets, type SecretSource } from '../config/resolve-secrets.ts'
import type { SecretReference } from '../config/secret.ts'
import type { NameOverride } from '../probe/name-override.ts'
import { networkProbe } from '../probe/network-probe.ts'
import { findContacts, gatherLive } from './ask/gather-live.ts'
import { observePages } from './ask/observe-pages.ts'
import type { LiveSource } from './ask/observe-point.ts'
import type { Facts } from './facts.ts'
import { type GivenPoints, onGivenPoints } from './given-points.ts'
import { namesPlaceholder } from './not-judged.ts'
import type { Rule } from './rule.ts'

export interface LiveSetting {
  readonly config: Config
  readonly given: GivenPoints | undefined
  readonly chosen: readonly Rule[]
  readonly overrides: readonly NameOverride[]
  /** PEM, trusted instead of Node's own. */
  readonly certificates: readonly string[] | undefined
  readonly version: string
  readonly source: SecretSource
  readAccount(config: Config, secrets: ResolvedSecrets, trusted: readonly string[]): Promise<AccountFact>
  /** Prints lines for the user. */
  tell(text: string): void
  /** Shows what is waited for. */
  show(what: string): void
}

/** Adds to the facts of the config what the chosen rules need of points, pages and account. */
export async function addLiveFacts(all: Facts, setting: LiveSetting): Promise<Facts> {
  const isUnknown = namesPlaceholder(all)
  // Nothing is asked of a placeholder, nor compared with it.
  const facts = isUnknown ? { ...all, service: undefined } : all
  const { config, given, chosen, overrides, certificates, version, tell, show } = setting
  const groups = new Set(chosen.map(({ id }) => id.slice(0, id.indexOf('/'))))
  // A check of bare URLs has no account. If only its rules are chosen, they report that.
  const asksAccount =
    groups.has('account') && !isUnknown && (config.service.api !== undefined || groups.size === 1)
  const asksPoints = groups.has('live')
  const pages = chosen.some(({ needsPageVisits }) => needsPageVisits) ? facts.pages : []
  if (!asksPoints && !asksAccount && pages.length === 0) return all
  const secrets = await loadNeeded(given?.whole ?? config, groups, setting)
  const api = asksAccount ? config.service.api : undefined
  const contacts = [
    ...(asksPoints ? findContacts(facts) : []),
    ...pages.flatMap(({ parsed }) => (parsed === undefined ? [] : [new URL(parsed.url).host])),
    ...(api === undefined ? [] : [new URL(api).host]),
  ]
  if (contacts.length > 0) tell(`Asking ${[...new Set(contacts)].join(', ')}.\n`)
  const ca = secrets.of(config.service.ca)
  const trusted = [...(certificates ?? []), ...(ca === undefined ? [] : [ca.reveal()])]
  const source: LiveSource = {
    probe: networkProbe({
      version,
      overrides,
      trust: certificates && { kind: 'only', certificates },
      // A front end, or serve, that gives a service up says so only then.
      answerMs: Math.min(config.timeouts.headersMs, MOST_HEADERS_MS) + LATER_MS,
    }),
    serviceProbe: networkProbe({ version, overrides, trust: { kind: 'also', certificates: trusted } }),
    runId: randomBytes(8).toString('hex'),
    nowMs: Date.now(),
    keepCookiePath: config.service.keepCookiePath,
    widgetKeyOf: (point) =>
      secrets.of(config.points[facts.points.indexOf(point)]?.widgetKey ?? config.widgetKey),
    restKey: secrets.of(config.apiKey),
    cookieName: chooseForwardedCookie(config),
    onQuestion: show,
  }
  const { probe } = source
  const widgetKeys = toWidgetKeys(config).flatMap((key) => secrets.of(key) ?? [])
  // What hangs is waited for at the same time.
  const [live, pageVisits, account] = await Promise.all([
    asksPoints ? gatherLive(facts, source) : undefined,
    pages.length > 0
      ? observePages(facts, { probe, api: isUnknown ? undefined : config.service.api, widgetKeys })
      : undefined,
    asksAccount ? setting.readAccount(given?.whole ?? config, secrets, trusted) : undefined,
  ])
  const own = account && given ? onGivenPoints(account, given) : account
  return { ...all, live, ...(pageVisits && { pageVisits }), account: own }
}

const MOST_HEADERS_MS = 30_000
const LATER_MS = 1_000

function toWidgetKeys({ widgetKey, points }: Config): readonly (SecretReference | undefined)[] {
  return [widgetKey, ...points.map((point) => point.widgetKey)]
}

/** If a secret can't be read, only the rules that need it are inconclusive. */
async function loadNeeded(
  config: Config,
  groups: ReadonlySet<string>,
  { source, tell }: LiveSetting,
): Promise<ResolvedSecrets> {
  const { service, apiKey } = config
  const keys = [...(groups.has('account') ? [apiKey] : []), ...toWidgetKeys(config)].map(
    (key) => [key, 'field value'] as const,
  )
  const secrets = await resolveSecrets([...keys, [service.ca, 'certificate']], source)
  const { problems } = secrets
  const isEnough =
    secrets.of(config.widgetKey) !== undefined && secrets.problemsOf(apiKey).length === problems.length
  const then = isEnough ? 'The account is read with the widget key.' : "Rules that need it can't be judged."
  if (problems.length > 0) tell(`${renderProblems(problems)}${then}\n`)
  return secrets
}

/** A proxy that forwards only listed cookies has to be tested with a listed one. */
function chooseForwardedCookie({ forward, cookies }: Config): string | undefined {
  if (forward.cookies !== 'scoped') return undefined
  const names = [...cookies.map(({ name }) => name), ...forward.alsoCookies]
  return names.find((name) => /^[\w!#$%&'*+.^`|~-]{1,64}$/.test(name))
}
