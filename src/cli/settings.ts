import { type Application, applySettings, parseReplaced, showSettings } from '../account/apply.ts'
import { type OpenAccount, readOptions } from '../account/read-account.ts'
import { renderDifferences, renderLeftAlone, TWO_ACCOUNTS } from '../account/report.ts'
import { compareSettings, countRemoved, findLeftAlone } from '../account/settings.ts'
import { isOfOther, renderSheet } from '../account/wanted.ts'
import type { Config } from '../config/config.ts'
import { fileFault, findWriteFault } from '../config/file-fault.ts'
import { DEFAULT_FILE, loadWith } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { redactUrl } from '../http/url.ts'
import { parsePoints } from '../points/parse-points.ts'
import { escapeControls } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import { choosePaint } from '../text/paint.ts'
import { quotePath, renderConfigFlag } from '../text/typed-command.ts'
import { type Arguments, configOption, defineCommand, type Outcome } from './command.ts'
import { type Io, readOnce } from './io.ts'
import { withAccount } from './with-account.ts'

const ACTIONS = ['show', 'diff', 'apply', 'restore', 'sheet'] as const

const options = {
  config: configOption,
  'dry-run': { summary: 'with apply and restore: show what would change, and change nothing' },
  remove: { summary: 'with apply and restore: remove entries even without a terminal' },
  'remove-foreign': { summary: 'with apply and restore: also remove entries of other hosts' },
} as const

export const command = defineCommand({
  details: `show prints the account's continuation settings as JSON. diff compares them with
the config and exits with 1 if they differ. apply changes those that differ: at a
terminal it asks first, without one it removes nothing unless --remove is given. It
applies no config in which check --offline finds an error. What it replaced is kept in a
file beside the config. restore writes exactly that back, under the same rules, whatever
has changed since. sheet needs no key: it prints what to type in the dashboard.

The settings are cookie_transfer_enabled, cookie_transfer_proxying,
cookie_transfer_urls, cookie_transfer_scopes and enable_cookie_backtransfer. In both
lists a config owns the entries of the hosts that it names; others stay, unless
--remove-foreign is given. show and diff also work with only the widget key.
A point with its own widgetKey belongs to another account: it is left out, and named.`,
  options,
  operands: { usage: 'ACTION [FILE]', min: 1, max: 2, choices: ACTIONS },
  run,
})

type Action = (typeof ACTIONS)[number]
type Asked = Arguments<typeof options>
type Values = Asked['values']

async function run({ values, operands }: Asked, given: Io): Promise<Outcome> {
  const io = { ...given, readFile: readOnce(given) }
  const [action, file] = operands as [Action, string?]
  const stray = findStray(values, action, file)
  if (stray !== undefined) return { fault: stray }
  const made = await loadWith({ file: values.config, flags: {}, ...io }, async (config) => {
    const problems = findPointProblems(config)
    return problems.length > 0 ? { problems } : { config }
  })
  if ('config' in made) {
    if (action !== 'show' && action !== 'restore') io.stderr(renderLeftOut(made.config))
    const isWritten = action === 'sheet' || action === 'apply'
    if (isWritten && (await hasErrors(made.config, io))) return 'findings'
    if (action === 'sheet') {
      io.stdout(renderSheet(made.config))
      return 'done'
    }
  } else if (action === 'sheet') return made
  let kept: string | undefined
  try {
    kept = file && (await io.readFile(file))
  } catch (error) {
    return { message: `${file} can't be read: ${fileFault(error, 'read')}` }
  }
  const toNeeds = (config: Config) => ({
    restKey: action === 'apply' || action === 'restore',
    problems: action === 'diff' || action === 'apply' ? findPointProblems(config) : [],
  })
  const work = async (account: OpenAccount, asking: Io) => {
    if (action === 'diff') return diff(account, io)
    if (action === 'show') return showSettings(account, io)
    const before = kept === undefined ? { value: account.wanted } : parseReplaced(kept)
    if ('fault' in before) return { message: `${file} can't be restored: ${before.fault}` }
    const path = nameReplaced(values)
    let undo = ''
    const application: Application = {
      source: file === undefined ? 'the config' : quotePath(file),
      dryRun: values['dry-run'],
      own: action === 'restore' || values['remove-foreign'] ? 'all' : account.own,
      mayRemove: values['remove-foreign'] ? 'all' : values.remove ? 'own' : 'none',
      async keep(before, after) {
        const fault = await findWriteFault(io.placeFile(path, toJsonText(before), 0o600))
        if (fault !== undefined) return `what it replaces can't be kept in ${path}: ${fault}`
        const flag = countRemoved(compareSettings(after, before, 'all')) > 0 ? ' --remove' : ''
        const place = quotePath(path)
        const words = `restore ${place}${flag}${renderConfigFlag(values.config)}`
        undo = `What was there before is in ${place}. To put it back:\n  ${io.program} settings ${words}\n`
        return undefined
      },
    }
    try {
      return await applySettings({ ...account, wanted: before.value }, application, asking)
    } finally {
      io.stderr(undo)
    }
  }
  return withAccount(values.config, toNeeds, work, io)
}

/** The file for what is replaced, beside the config, such as `config.replaced-20260102T030405678Z.json`. */
function nameReplaced({ config = DEFAULT_FILE }: Values): string {
  const suffix = `.replaced-${new Date().toISOString().replace(/[-:.]/g, '')}.json`
  return config.replace(/(?:\.jsonc?)?$/, suffix)
}

function findStray(values: Values, action: Action, file: string | undefined): string | undefined {
  if (action === 'restore' && file === undefined) return 'restore needs the FILE that apply has kept'
  if (action !== 'restore' && file !== undefined) return `unexpected argument ${JSON.stringify(file)}`
  const ofBoth = (['dry-run', 'remove', 'remove-foreign'] as const).find((flag) => values[flag])
  if (ofBoth === undefined || action === 'apply' || action === 'restore') return undefined
  return `--${ofBoth} is only for apply and restore`
}

async function diff({ client, keys, wanted, own }: OpenAccount, io: Io): Promise<'done' | 'findings'> {
  const read = await readOptions(client, keys)
  if (read.kind === 'two-accounts') {
    io.stdout(`the account: ${TWO_ACCOUNTS}\n`)
    return 'findings'
  }
  const differences = compareSettings(read.options, wanted, own)
  io.stdout(renderDifferences(differences, 'the config', choosePaint(io)))
  io.stderr(renderLeftAlone(findLeftAlone(read.options, wanted, own)))
  if (differences.length > 0) return 'findings'
  io.stderr('The account matches the config.\n')
  return 'done'
}

/** Says which points are of other accounts. */
function renderLeftOut({ points }: Config): string {
  return points
    .filter(isOfOther)
    .map(({ url }) => `Left out, since it has a widgetKey of its own: ${escapeControls(redactUrl(url))}\n`)
    .join('')
}

/** Why there are no points to compare the account with. */
function findPointProblems({ points, pointsLocation, service }: Config): readonly Problem[] {
  if (points.every(isOfOther)) {
    const message =
      points.length === 0
        ? 'there is no continuation point to compare the account with'
        : 'every continuation point has a widgetKey of its own, so there is none to compare the account with'
    return [{ location: pointsLocation, message, expected: 'a list of URLs, here or in CONTINUATION_POINTS' }]
  }
  const parsed = parsePoints(points, service.prefix)
  return 'problems' in parsed ? parsed.problems : []
}

/** A config with errors is not applied: the account would repeat them. */
async function hasErrors(config: Config, io: Io): Promise<boolean> {
  const { findErrors, renderErrors } = await import('../setup/first-config.ts')
  const errors = findErrors(config)
  if (errors.length === 0) return false
  io.stderr(`${renderErrors(errors)}Nothing was changed: apply these fixes first, or suppress the rules.\n`)
  return true
}
