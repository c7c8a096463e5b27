import type { ApiClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { type DerivedSettings, toDerivedSettings } from '../config/derived-settings.ts'
import { loadConfig } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import {
  type AccountSettings,
  compareSettings,
  type SettingDifference,
} from '../config/settings-difference.ts'
import { suggest } from '../config/suggestion.ts'
import { parsePoints } from '../points/parse-points.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { toAccountClient } from './account-client.ts'
import { type Arguments, defineCommand } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { renderDifferences, toVisible } from './settings-diff.ts'

const options = {
  config: {
    type: 'string',
    value: 'FILE',
    summary: 'the config file (default: config.json, if there is one)',
  },
  'dry-run': { type: 'boolean', summary: 'with apply: show what would change, and change nothing' },
} as const

export const command = defineCommand({
  name: 'settings',
  summary: "show, compare or change the account's settings",
  details: `show prints the account's settings about continuation as JSON. diff compares them
with what the config demands and exits 1 when they differ. apply changes those that
differ, and no other option of the account; at a terminal it asks first.

The settings are cookie_transfer_enabled, cookie_transfer_proxying,
cookie_transfer_urls, cookie_transfer_scopes and enable_cookie_backtransfer. Both
lists are replaced as a whole. The REST key is the config's apiKey.`,
  options,
  operands: { usage: 'show|diff|apply', min: 1, max: 1 },
  run,
})

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<ExitCode> {
  const [word = ''] = operands
  const action = actions.find((each) => each === word)
  if (action === undefined) return refuse(word, io)
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) {
    io.stderr(`continuation-point: ${unsafe}\n`)
    return exitCode.usage
  }
  const loaded = await loadAccount(values.config, action, io)
  if ('problems' in loaded) {
    io.stderr(renderProblems(loaded.problems))
    return exitCode.usage
  }
  const { client, wanted } = loaded
  try {
    if (action === 'show') return await show(client, io)
    if (action === 'diff') return await diff(client, wanted, io)
    return await apply(client, wanted, values['dry-run'] ? 'rehearse' : 'change', io)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.stderr(`continuation-point: ${error.message}\n`)
    const blamed = Object.keys(wanted).filter((setting) => Object.hasOwn(error.fieldErrors, setting))
    if (blamed.length > 0) io.stderr(`The service objects to ${blamed.join(', ')}.\n`)
    return exitCode.inconclusive
  }
}

/** Opens the account, and derives what it should say. A bad point must not reach the account; `show` needs none. */
async function loadAccount(
  file: string | undefined,
  action: Action,
  io: Io,
): Promise<
  { readonly client: ApiClient; readonly wanted: DerivedSettings } | { readonly problems: readonly Problem[] }
> {
  const loaded = await loadConfig({ file, flags: {}, env: io.env, readFile: io.readFile })
  if ('problems' in loaded) return loaded
  const { config } = loaded
  const { service, points } = config
  const parsed = parsePoints(points, service.prefix)
  const opened = await toAccountClient(config, io)
  const problems = [
    ...('problems' in opened ? opened.problems : []),
    ...(action !== 'show' && 'problems' in parsed ? parsed.problems : []),
    ...(action !== 'show' && points.length === 0 ? [noPoint(service.location.file)] : []),
  ]
  if ('problems' in opened || problems.length > 0) return { problems }
  return { client: opened.client, wanted: toDerivedSettings(config) }
}

async function show(client: ApiClient, io: Io): Promise<ExitCode> {
  const lines = JSON.stringify(await fetchSettings(client), undefined, 2).split('\n')
  io.stdout(`${lines.map(toVisible).join('\n')}\n`)
  return exitCode.done
}

async function diff(client: ApiClient, wanted: DerivedSettings, io: Io): Promise<ExitCode> {
  const differences = compareSettings(await fetchSettings(client), wanted)
  io.stdout(renderDifferences(differences))
  if (differences.length > 0) return exitCode.findings
  io.stderr(inStep)
  return exitCode.done
}

async function apply(
  client: ApiClient,
  wanted: DerivedSettings,
  mode: 'rehearse' | 'change',
  io: Io,
): Promise<ExitCode> {
  const differences = compareSettings(await fetchSettings(client), wanted)
  if (differences.length === 0) {
    io.stderr(inStep)
    return exitCode.done
  }
  io.stdout(renderDifferences(differences))
  if (mode === 'rehearse') {
    io.stderr('Nothing was changed, since this is a dry run.\n')
    return exitCode.done
  }
  if (io.ask !== undefined && !/^y(?:es)?$/i.test((await io.ask('Change the account? [y/N] ')).trim())) {
    io.stderr('Nothing was changed.\n')
    return exitCode.findings
  }
  await client.options.change(toPatch(differences, wanted))
  // Asked again, since the plan of the account may limit what it keeps.
  const left = compareSettings(await fetchSettings(client), wanted)
  if (left.length === 0) {
    io.stderr(`Changed ${differences.map(({ setting }) => setting).join(', ')}.\n`)
    return exitCode.done
  }
  io.stderr(`The account did not keep everything; its plan may not allow it.\n${renderDifferences(left)}`)
  return exitCode.findings
}

async function fetchSettings(client: ApiClient): Promise<AccountSettings> {
  const account = await client.options.get()
  return {
    cookie_transfer_enabled: account.cookie_transfer_enabled,
    cookie_transfer_proxying: account.cookie_transfer_proxying,
    cookie_transfer_urls: account.cookie_transfer_urls,
    cookie_transfer_scopes: account.cookie_transfer_scopes,
    enable_cookie_backtransfer: account.enable_cookie_backtransfer,
  }
}

function toPatch(differences: readonly SettingDifference[], wanted: DerivedSettings) {
  return Object.fromEntries(differences.map(({ setting }) => [setting, wanted[setting]]))
}

function refuse(word: string, io: Io): ExitCode {
  const suggestion = suggest(word, actions)
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  io.stderr(
    `continuation-point: settings takes show, diff or apply, not ${toVisible(JSON.stringify(word))}${question}\n` +
      'See continuation-point settings --help.\n',
  )
  return exitCode.usage
}

function noPoint(file: string): Problem {
  return {
    location: { file, pointer: '/points' },
    message: 'there is no continuation point to compare the account with',
    expected: 'a list of URLs, here or in CONTINUATION_POINTS',
  }
}

const actions = ['show', 'diff', 'apply'] as const

type Action = (typeof actions)[number]

const inStep = 'The account says what the config says.\n'
