import { compareSettings, type SettingDifference, settingNames } from '../config/account-settings.ts'
import { compareWebhooks } from '../config/account-webhooks.ts'
import type { Config } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { parsePoints } from '../points/parse-points.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { choosePaint } from '../text/paint.ts'
import { type AccountPart, applyPart, showPart, tellIncomparable } from './account-part.ts'
import { type Arguments, configOption, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import {
  type LoadedAccounts,
  loadAccounts,
  type OpenAccount,
  readWebhooks,
  withService,
} from './open-accounts.ts'
import { readOptions, toSettings } from './read-accounts.ts'
import {
  type ComparedAccount,
  diffFormats,
  renderDiff,
  toAccountText,
  twoAccounts,
} from './settings-report.ts'
import { tool } from './version.ts'

const actions = ['show', 'diff', 'apply'] as const

const options = {
  config: configOption,
  'dry-run': { summary: 'with apply: show what would change, and change nothing' },
  force: { summary: 'with apply: apply the config even if check finds errors' },
  format: { value: 'FORMAT', choices: diffFormats, summary: 'with diff: the report on stdout' },
} as const

export const command = defineCommand({
  details: `show prints the account's continuation settings as JSON. diff compares them with
the config and exits with 1 if they differ. apply changes those that differ, and no
other option of the account. At a terminal it asks first, and without one it changes
them at once. It applies no config in which check --offline finds an error, unless
--force is given.

The settings are cookie_transfer_enabled, cookie_transfer_proxying,
cookie_transfer_urls, cookie_transfer_scopes and enable_cookie_backtransfer. Both
lists are replaced as a whole. The REST key is the config's apiKey; show and diff
also work with only the widget key. diff also compares the config's webhooks, if
there are any: that needs apiKey; webhooks apply changes them. A point with its own
widgetKey belongs to the account of that key, and needs its own apiKey.`,
  options,
  operands: { usage: 'show|diff|apply', min: 1, max: 1, choices: actions },
  run,
})

type Action = (typeof actions)[number]
type Asked = Arguments<typeof options, Action>
type Values = Asked['values']

async function run({ values, operands: [action = 'show'] }: Asked, io: Io): Promise<ExitCode | Refusal> {
  const stray = findStrayFlag(values, action)
  if (stray !== undefined) return { fault: stray }
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const loaded = await loadAccounts(values.config, io, (config) => {
    const webhooks = action === 'diff' ? config.webhooks : undefined
    return {
      // Webhooks can't be read with a widget key.
      restKey: action === 'apply' || webhooks !== undefined,
      webhooks: webhooks ?? [],
      problems: action === 'show' ? [] : findPointProblems(config),
    }
  })
  if ('problems' in loaded) return loaded
  const { accounts, config } = loaded
  return withService(io, async () => {
    if (action === 'diff') return diff(loaded, values, io)
    const part = toPart(values, io)
    if (action === 'show') return showPart(part, accounts, io)
    return (await refuseErrors(config, values, io)) ?? applyPart(part, accounts, values['dry-run'], io)
  })
}

function findStrayFlag({ format, force, 'dry-run': dryRun }: Values, action: Action): string | undefined {
  if (format !== undefined && action !== 'diff') return '--format is only for diff'
  if (force && action !== 'apply') return '--force is only for apply'
  return dryRun && action !== 'apply' ? '--dry-run is only for apply' : undefined
}

function findPointProblems({ points, pointsLocation, service }: Config): readonly Problem[] {
  if (points.length === 0) {
    const message = 'there is no continuation point to compare the account with'
    return [{ location: pointsLocation, message, expected: 'a list of URLs, here or in CONTINUATION_POINTS' }]
  }
  const parsed = parsePoints(points, service.prefix)
  return 'problems' in parsed ? parsed.problems : []
}

async function diff({ accounts, config, wanted }: LoadedAccounts, values: Values, io: Io): Promise<ExitCode> {
  const compared: ComparedAccount[] = []
  for (const account of accounts) {
    const { name } = account.config
    const differences = await compare(account)
    if (differences === 'two-accounts' || config.webhooks === undefined) {
      compared.push({ name, differences, compared: settingNames })
      continue
    }
    const webhooks = compareWebhooks(await readWebhooks(account), wanted)
    if ('reason' in webhooks) {
      return tellIncomparable(account, { ...webhooks, code: exitCode.inconclusive }, io)
    }
    const all = [...differences, ...webhooks]
    compared.push({ name, differences: all, compared: [...settingNames, 'webhooks'] })
  }
  const same = compared.filter(
    ({ differences }) => differences !== 'two-accounts' && differences.length === 0,
  )
  const code = same.length === compared.length ? exitCode.done : exitCode.findings
  const paint = choosePaint({ flag: undefined, env: io.env, isTty: io.stdoutIsTty })
  io.stdout(renderDiff({ tool, exitCode: code, accounts: compared }, values.format ?? 'pretty', paint))
  for (const each of same) io.stderr(toInStep(toAccountText(each)))
  return code
}

async function compare({
  config,
  client,
  keys,
}: OpenAccount): Promise<readonly SettingDifference[] | 'two-accounts'> {
  const read = await readOptions(client, keys)
  return read.kind === 'two-accounts' ? 'two-accounts' : compareSettings(read.options, config.wanted)
}

/** A config with errors is not applied: the account would repeat them. */
async function refuseErrors(config: Config, { force }: Values, io: Io): Promise<ExitCode | undefined> {
  const { findErrors, renderErrors } = await import('./offline-errors.ts')
  const errors = findErrors(config)
  if (errors.length === 0) return undefined
  io.stderr(renderErrors(errors))
  if (force) {
    const ids = [...new Set(errors.map(({ id }) => id))]
    io.stderr(`Overriding ${ids.join(', ')}.\n`)
    return undefined
  }
  io.stderr('Nothing was changed: apply these fixes first, or apply the settings anyway with --force.\n')
  return exitCode.findings
}

/** The settings of an account that concern continuation. */
function toPart({ force }: Values, io: Io): AccountPart<SettingDifference> {
  const two = { reason: twoAccounts, code: exitCode.findings }
  return {
    async show({ client, keys }) {
      const read = await readOptions(client, keys)
      return read.kind === 'two-accounts' ? two : { value: read.options }
    },
    async compare(account) {
      const differences = await compare(account)
      if (differences !== 'two-accounts') return differences
      if (!force) return two
      io.stderr(`Overriding account/other-account for ${toAccountText(account.config)}.\n`)
      return compareSettings(toSettings(await account.client.options.get()), account.config.wanted)
    },
    async change({ client, keys: { widgetKey }, config: { wanted } }, differences) {
      const changed = differences.map(({ setting }) => setting)
      await client.options.change(Object.fromEntries(changed.map((setting) => [setting, wanted[setting]])))
      // With the widget's key if it is known, since that is how the widget reads it.
      const kept = await client.options.get(widgetKey === undefined ? {} : { widgetKey })
      return { done: `Changed ${changed.join(', ')}.\n`, left: compareSettings(toSettings(kept), wanted) }
    },
    inStep: toInStep,
  }
}

function toInStep(account: string): string {
  return `${account.replace(/^t/, 'T')} matches the config.\n`
}
