import { ApiError } from '../api/errors.ts'
import { tellAbsentFile } from '../config/absent-file.ts'
import type { AccountConfig } from '../config/accounts.ts'
import type { Config } from '../config/config.ts'
import type { DerivedSettings } from '../config/derived-settings.ts'
import { loadConfig } from '../config/load.ts'
import type { Location, Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import {
  type AccountSettings,
  compareSettings,
  type SettingDifference,
  settingNames,
} from '../config/settings-difference.ts'
import { suggest } from '../config/suggestion.ts'
import { compareWebhooks, type WantedWebhook } from '../config/webhooks-difference.ts'
import { parsePoints } from '../points/parse-points.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { escapeControls } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import { type OpenAccount, openAccounts } from './account-client.ts'
import { loadWantedWebhooks, readAccountWebhooks, tellUntold } from './account-webhooks.ts'
import { type Arguments, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { readOptions, toSettings } from './read-options.ts'
import { renderDifferences } from './settings-diff.ts'
import {
  type ComparedAccount,
  diffFormats,
  renderDiff,
  toAccountText,
  twoAccounts,
} from './settings-report.ts'
import { version } from './version.ts'

const options = {
  config: {
    type: 'string',
    value: 'FILE',
    summary: 'the config file (default: config.json, if there is one)',
  },
  'dry-run': { type: 'boolean', summary: 'with apply: show what would change, and change nothing' },
  force: { type: 'boolean', summary: 'with apply: write also what check calls an error' },
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: diffFormats,
    summary: 'with diff: the report on stdout',
  },
} as const

export const command = defineCommand({
  details: `show prints the account's continuation settings as JSON. diff compares them with
the config and exits with 1 if they differ. apply changes those that differ, and no
other option of the account; at a terminal it asks first. It applies no config in
which check --offline finds an error, unless --force is given.

The settings are cookie_transfer_enabled, cookie_transfer_proxying,
cookie_transfer_urls, cookie_transfer_scopes and enable_cookie_backtransfer. Both
lists are replaced as a whole. The REST key is the config's apiKey; show and diff
also work with only the widget key. diff also compares the config's webhooks, if
there are any: that needs apiKey; webhooks apply changes them. A point with its own
widgetKey belongs to the account of that key, and needs its own apiKey.`,
  options,
  operands: { usage: 'show|diff|apply', min: 1, max: 1 },
  run,
})

type Values = Arguments<typeof options>['values']

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<ExitCode | Refusal> {
  const [word = ''] = operands
  const action = actions.find((each) => each === word)
  if (action === undefined) return refuse(word, io)
  const stray = findStrayFlag(values, action)
  const unsafe = stray ?? unsafeStartReason(io)
  if (unsafe !== undefined) {
    io.stderr(`continuation-point: ${unsafe}\n`)
    return exitCode.usage
  }
  const loaded = await loadAccounts(values.config, action, io)
  if ('problems' in loaded) {
    io.stderr(renderProblems(loaded.problems))
    return exitCode.usage
  }
  const { accounts, config, wanted } = loaded
  try {
    if (action === 'show') return await show(accounts, io)
    if (action === 'diff') return await diff(accounts, wanted, values, io)
    return await apply(accounts, config, values, io)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.stderr(`continuation-point: ${error.message}\n`)
    const blamed = settingNames.filter((setting) => Object.hasOwn(error.fieldErrors, setting))
    if (blamed.length > 0) io.stderr(`The service rejected ${blamed.join(', ')}.\n`)
    return exitCode.inconclusive
  }
}

function findStrayFlag({ format, force, 'dry-run': dryRun }: Values, action: Action): string | undefined {
  if (format !== undefined && action !== 'diff') return '--format is only for diff'
  if (force && action !== 'apply') return '--force is only for apply'
  return dryRun && action === 'show' ? '--dry-run is only for apply' : undefined
}

/** Opens the accounts, and derives the settings of each. Points must be valid, except for `show`. */
async function loadAccounts(
  file: string | undefined,
  action: Action,
  io: Io,
): Promise<
  | {
      readonly accounts: readonly OpenAccount[]
      readonly config: Config
      /** Absent if webhooks are not compared. */
      readonly wanted: readonly WantedWebhook[] | undefined
    }
  | { readonly problems: readonly Problem[] }
> {
  const loaded = await loadConfig({ file, flags: {}, env: io.env, readFile: io.readFile })
  if ('problems' in loaded) return loaded
  const { config } = loaded
  const { service, points } = config
  const parsed = parsePoints(points, service.prefix)
  const webhooks = action === 'diff' ? config.webhooks : undefined
  // Webhooks can't be read with a widget key.
  const opened = await openAccounts(
    config,
    action === 'apply' || webhooks !== undefined ? 'write' : 'read',
    io,
  )
  const loadedWebhooks = await loadWantedWebhooks(webhooks ?? [], io)
  const problems = [
    ...('problems' in opened ? opened.problems : []),
    ...('problems' in loadedWebhooks ? loadedWebhooks.problems : []),
    ...(action !== 'show' && 'problems' in parsed ? parsed.problems : []),
    ...(action !== 'show' && points.length === 0 ? [noPoint(config.pointsLocation)] : []),
  ]
  if ('problems' in opened || 'problems' in loadedWebhooks || problems.length > 0) {
    return { problems: loaded.file === undefined ? tellAbsentFile(problems) : problems }
  }
  const wanted = webhooks && loadedWebhooks.wanted
  return { accounts: opened.accounts, config, wanted }
}

async function show(accounts: readonly OpenAccount[], io: Io): Promise<ExitCode> {
  const shown: Record<string, AccountSettings> = {}
  for (const account of accounts) {
    const read = await readOptions(account.client, account.keys)
    if (read.kind === 'two') return tellTwo(account.config, io)
    const { name } = account.config
    if (name === undefined) io.stdout(toJsonText(read.options))
    else shown[name] = read.options
  }
  if (accounts.length > 1) io.stdout(toJsonText(shown))
  return exitCode.done
}

async function diff(
  accounts: readonly OpenAccount[],
  wanted: readonly WantedWebhook[] | undefined,
  values: Values,
  io: Io,
): Promise<ExitCode> {
  const compared: ComparedAccount[] = []
  for (const account of accounts) {
    const { name, differences } = await compare(account)
    if (differences === 'two' || wanted === undefined) {
      compared.push({ name, differences, compared: settingNames })
      continue
    }
    const webhooks = compareWebhooks(await readAccountWebhooks(account.client), wanted)
    if (typeof webhooks === 'object' && 'untold' in webhooks) {
      io.stderr(`continuation-point: ${toAccountText({ name })}: ${tellUntold(webhooks.untold)}\n`)
      return exitCode.inconclusive
    }
    const more = webhooks === 'same' ? [] : [webhooks]
    compared.push({
      name,
      differences: [...differences, ...more],
      compared: [...settingNames, 'webhooks'],
    })
  }
  const same = compared.filter(({ differences }) => differences !== 'two' && differences.length === 0)
  const code = same.length === compared.length ? exitCode.done : exitCode.findings
  const tool = { name: 'continuation-point', version }
  const format = diffFormats.find((each) => each === values.format) ?? 'pretty'
  io.stdout(renderDiff({ tool, exitCode: code, accounts: compared }, format))
  for (const each of same) io.stderr(toInStep(each))
  return code
}

async function compare({ config, client, keys }: OpenAccount): Promise<{
  readonly name: string | undefined
  readonly differences: readonly SettingDifference[] | 'two'
}> {
  const read = await readOptions(client, keys)
  const { name, wanted } = config
  return { name, differences: read.kind === 'two' ? 'two' : compareSettings(read.options, wanted) }
}

async function apply(
  accounts: readonly OpenAccount[],
  config: Config,
  values: Values,
  io: Io,
): Promise<ExitCode> {
  const refused = await refuseErrors(config, values, io)
  if (refused !== undefined) return refused
  // Every account is read before the first one is changed.
  const plans: { readonly account: OpenAccount; readonly differences: readonly SettingDifference[] }[] = []
  for (const account of accounts) {
    const compared = await compare(account)
    if (compared.differences !== 'two') {
      plans.push({ account, differences: compared.differences })
    } else if (values.force) {
      io.stderr(`Overriding account/other-account for ${toAccountText(account.config)}.\n`)
      const options = toSettings(await account.client.options.get())
      plans.push({ account, differences: compareSettings(options, account.config.wanted) })
    } else {
      return tellTwo(account.config, io)
    }
  }
  const results: ExitCode[] = []
  for (const { account, differences } of plans) {
    results.push(await applyTo(account, differences, values, io))
  }
  return results.find((result) => result !== exitCode.done) ?? exitCode.done
}

/** A config with errors is not applied: the account would repeat them. */
async function refuseErrors(config: Config, { force }: Values, io: Io): Promise<ExitCode | undefined> {
  const { findErrors, renderErrors } = await import('./settings-refusal.ts')
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

async function applyTo(
  { config, client, keys }: OpenAccount,
  differences: readonly SettingDifference[],
  { 'dry-run': dryRun }: Values,
  io: Io,
): Promise<ExitCode> {
  if (differences.length === 0) {
    io.stderr(toInStep(config))
    return exitCode.done
  }
  const account = toAccountText(config)
  io.stdout(renderDifferences(differences, account))
  if (dryRun) {
    io.stderr('Nothing was changed, since this is a dry run.\n')
    return exitCode.done
  }
  if (io.ask !== undefined && !/^y(?:es)?$/i.test((await io.ask(`Change ${account}? [y/N] `)).trim())) {
    io.stderr('Nothing was changed.\n')
    return exitCode.findings
  }
  const { wanted } = config
  await client.options.change(toPatch(differences, wanted))
  // Read again, with the widget's key if it is known: the account's plan may limit what is stored.
  const { widgetKey } = keys
  const kept = await client.options.get(widgetKey === undefined ? {} : { widgetKey })
  const left = compareSettings(toSettings(kept), wanted)
  if (left.length === 0) {
    io.stderr(`Changed ${differences.map(({ setting }) => setting).join(', ')}.\n`)
    return exitCode.done
  }
  io.stderr(
    `The account did not store everything; its plan may not allow it.\n${renderDifferences(left, account)}`,
  )
  return exitCode.findings
}

function tellTwo(account: AccountConfig, io: Io): ExitCode {
  io.stderr(`continuation-point: ${toAccountText(account)}: ${twoAccounts}\n`)
  return exitCode.findings
}

function toInStep(account: Pick<AccountConfig, 'name'>): string {
  return `${toAccountText(account).replace(/^t/, 'T')} matches the config.\n`
}

function toPatch(differences: readonly SettingDifference[], wanted: DerivedSettings) {
  return Object.fromEntries(differences.map(({ setting }) => [setting, wanted[setting]]))
}

function refuse(word: string, io: Io): ExitCode {
  const suggestion = suggest(word, actions)
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  io.stderr(
    `continuation-point: settings takes show, diff or apply, not ${escapeControls(JSON.stringify(word))}${question}\n` +
      'See continuation-point settings --help.\n',
  )
  return exitCode.usage
}

function noPoint(location: Location): Problem {
  return {
    location,
    message: 'there is no continuation point to compare the account with',
    expected: 'a list of URLs, here or in CONTINUATION_POINTS',
  }
}

const actions = ['show', 'diff', 'apply'] as const

type Action = (typeof actions)[number]
