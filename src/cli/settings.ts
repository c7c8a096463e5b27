import { applyPart, showPart } from '../account/apply.ts'
import type { LoadedAccounts } from '../account/open-accounts.ts'
import { diffFormats, renderDiff, toAccountText } from '../account/report.ts'
import { compareAccounts, findPointProblems, settingsPart, toInStep } from '../account/settings-part.ts'
import type { Config } from '../config/config.ts'
import { choosePaint } from '../text/paint.ts'
import { type Arguments, configOption, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { tool } from './version.ts'
import { withAccounts } from './with-accounts.ts'

const ACTIONS = ['show', 'diff', 'apply'] as const

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
  operands: { usage: 'show|diff|apply', min: 1, max: 1, choices: ACTIONS },
  run,
})

type Action = (typeof ACTIONS)[number]
type Asked = Arguments<typeof options, Action>
type Values = Asked['values']

async function run({ values, operands: [action = 'show'] }: Asked, io: Io): Promise<ExitCode | Refusal> {
  const stray = findStrayFlag(values, action)
  if (stray !== undefined) return { fault: stray }
  const toNeeds = (config: Config) => {
    const webhooks = action === 'diff' ? config.webhooks : undefined
    return {
      // Webhooks can't be read with a widget key.
      restKey: action === 'apply' || webhooks !== undefined,
      webhooks: webhooks ?? [],
      problems: action === 'show' ? [] : findPointProblems(config),
    }
  }
  const work = async (loaded: LoadedAccounts) => {
    if (action === 'diff') return diff(loaded, values, io)
    const part = settingsPart(values.force ? io.stderr : undefined)
    if (action === 'show') return showPart(part, loaded.accounts, io)
    if (await hasErrors(loaded.config, values, io)) return 'findings'
    return applyPart(part, loaded.accounts, values['dry-run'], io)
  }
  return withAccounts(values.config, toNeeds, work, io)
}

function findStrayFlag({ format, force, 'dry-run': dryRun }: Values, action: Action): string | undefined {
  if (format !== undefined && action !== 'diff') return '--format is only for diff'
  if (force && action !== 'apply') return '--force is only for apply'
  return dryRun && action !== 'apply' ? '--dry-run is only for apply' : undefined
}

async function diff(loaded: LoadedAccounts, values: Values, io: Io): Promise<'done' | 'findings' | Refusal> {
  const compared = await compareAccounts(loaded)
  if ('message' in compared) return compared
  const same = compared.filter(
    ({ differences }) => differences !== 'two-accounts' && differences.length === 0,
  )
  const outcome = same.length === compared.length ? 'done' : 'findings'
  const paint = choosePaint({ flag: undefined, env: io.env, isTty: io.stdoutIsTty })
  const report = { tool, exitCode: exitCode[outcome], accounts: compared }
  io.stdout(renderDiff(report, values.format ?? 'pretty', paint))
  for (const each of same) io.stderr(toInStep(toAccountText(each)))
  return outcome
}

/** A config with errors is not applied: the account would repeat them. */
async function hasErrors(config: Config, { force }: Values, io: Io): Promise<boolean> {
  const { findErrors, renderErrors } = await import('../setup/offline-errors.ts')
  const errors = findErrors(config)
  if (errors.length === 0) return false
  io.stderr(renderErrors(errors))
  const ids = [...new Set(errors.map(({ id }) => id))]
  io.stderr(
    force
      ? `Overriding ${ids.join(', ')}.\n`
      : 'Nothing was changed: apply these fixes first, or apply the settings anyway with --force.\n',
  )
  return !force
}
