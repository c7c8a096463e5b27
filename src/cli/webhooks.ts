import type { ApiClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { tellAbsentFile } from '../config/absent-file.ts'
import { loadConfig } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import { suggest } from '../config/suggestion.ts'
import {
  compareWebhooks,
  toWebhookFields,
  type WantedWebhook,
  type WebhooksDifference,
} from '../config/webhooks-difference.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { escapeControls } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import { type OpenAccount, openAccounts } from './account-client.ts'
import { loadWantedWebhooks, readAccountWebhooks, tellUntold } from './account-webhooks.ts'
import { type Arguments, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { renderDifferences } from './settings-diff.ts'
import { toAccountText } from './settings-report.ts'
import { toShownReceiver } from './webhooks-diff.ts'

const options = {
  config: {
    type: 'string',
    value: 'FILE',
    summary: 'the config file (default: config.json, if there is one)',
  },
  'dry-run': { type: 'boolean', summary: 'with apply: show what would change, and change nothing' },
} as const

export const command = defineCommand({
  details: `list prints the account's webhooks as JSON. apply makes them match the config's
"webhooks": it creates missing ones, enables those that are off, switches on the
verification of certificates, and deletes all others; at a terminal it asks first.
New webhooks are created before old ones are deleted, so changing a URL loses no event.

  "webhooks": [{ "url": "env:WEBHOOK_URL", "events": ["session.started"] }]

The URL is secret: put it into a variable or a file. Only the host of a URL is shown.
Both actions need the REST key, apiKey. settings diff compares webhooks too.`,
  options,
  operands: { usage: 'list|apply', min: 1, max: 1 },
  run,
})

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<ExitCode | Refusal> {
  const [word = ''] = operands
  const action = actions.find((each) => each === word)
  if (action === undefined) return refuse(word, io)
  const dryRun = values['dry-run']
  const unsafe = dryRun && action === 'list' ? '--dry-run is only for apply' : unsafeStartReason(io)
  if (unsafe !== undefined) {
    io.stderr(`continuation-point: ${unsafe}\n`)
    return exitCode.usage
  }
  const opened = await open(values.config, action, io)
  if ('problems' in opened) {
    io.stderr(renderProblems(opened.problems))
    return exitCode.usage
  }
  const { accounts, wanted } = opened
  try {
    if (action === 'list') return await list(accounts, wanted, io)
    return await apply(accounts, wanted, dryRun ? 'show' : 'change', io)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.stderr(`continuation-point: ${error.message}\n`)
    return exitCode.inconclusive
  }
}

async function open(
  file: string | undefined,
  action: Action,
  io: Io,
): Promise<
  | { readonly accounts: readonly OpenAccount[]; readonly wanted: readonly WantedWebhook[] }
  | { readonly problems: readonly Problem[] }
> {
  const loaded = await loadConfig({ file, flags: {}, env: io.env, readFile: io.readFile })
  if ('problems' in loaded) return loaded
  const { config } = loaded
  const accounts = await openAccounts(config, 'write', io)
  const wanted = await loadWantedWebhooks(config.webhooks ?? [], io)
  const absent: Problem = {
    location: { file: config.pointsLocation.file, pointer: '/webhooks' },
    message: 'there are no webhooks to apply',
    expected: '"webhooks": a list of receivers, which may be empty',
  }
  const problems = [
    ...('problems' in accounts ? accounts.problems : []),
    ...('problems' in wanted ? wanted.problems : []),
    ...(action === 'apply' && config.webhooks === undefined ? [absent] : []),
  ]
  if ('problems' in accounts || 'problems' in wanted || problems.length > 0) {
    return { problems: loaded.file === undefined ? tellAbsentFile(problems) : problems }
  }
  return { ...accounts, ...wanted }
}

async function list(
  accounts: readonly OpenAccount[],
  wanted: readonly WantedWebhook[],
  io: Io,
): Promise<ExitCode> {
  const shown: Record<string, readonly object[]> = {}
  for (const { config, client } of accounts) {
    const webhooks = (await readAccountWebhooks(client)).map(({ url, ...webhook }) => ({
      ...webhook,
      url: toShownReceiver(url),
      config: wanted.find((each) => url !== undefined && isSame(each, { ...webhook, url }))?.place ?? null,
    }))
    if (accounts.length === 1) io.stdout(toJsonText(webhooks))
    else shown[config.name ?? ''] = webhooks
  }
  if (accounts.length > 1) io.stdout(toJsonText(shown))
  return exitCode.done
}

function isSame(wanted: WantedWebhook, webhook: Parameters<typeof compareWebhooks>[0][number]): boolean {
  const difference = compareWebhooks([webhook], [wanted])
  return difference === 'same' || ('changed' in difference && difference.changed.length > 0)
}

async function apply(
  accounts: readonly OpenAccount[],
  wanted: readonly WantedWebhook[],
  purpose: 'show' | 'change',
  io: Io,
): Promise<ExitCode> {
  // Every account is read before the first one is changed.
  const plans: { readonly account: OpenAccount; readonly difference: WebhooksDifference | 'same' }[] = []
  for (const account of accounts) {
    const difference = compareWebhooks(await readAccountWebhooks(account.client), wanted)
    if (typeof difference === 'object' && 'untold' in difference) {
      io.stderr(`continuation-point: ${toAccountText(account.config)}: ${tellUntold(difference.untold)}\n`)
      return exitCode.inconclusive
    }
    plans.push({ account, difference })
  }
  let code: ExitCode = exitCode.done
  for (const { account, difference } of plans) {
    const result = await applyTo(account, difference, wanted, purpose, io)
    if (result !== exitCode.done) code = result
  }
  return code
}

async function applyTo(
  { config, client }: OpenAccount,
  difference: WebhooksDifference | 'same',
  wanted: readonly WantedWebhook[],
  purpose: 'show' | 'change',
  io: Io,
): Promise<ExitCode> {
  const account = toAccountText(config)
  if (difference === 'same') {
    io.stderr(`The webhooks of ${account} match the config.\n`)
    return exitCode.done
  }
  io.stdout(renderDifferences([difference], account))
  if (purpose === 'show') {
    io.stderr('Nothing was changed, since this is a dry run.\n')
    return exitCode.done
  }
  if (io.ask !== undefined && !/^y(?:es)?$/i.test((await io.ask(`Change ${account}? [y/N] `)).trim())) {
    io.stderr('Nothing was changed.\n')
    return exitCode.findings
  }
  await change(client, difference)
  const left = compareWebhooks(await readAccountWebhooks(client), wanted)
  if (left === 'same') {
    const { surplus, changed, missing } = difference
    io.stderr(`Created ${missing.length}, changed ${changed.length}, deleted ${surplus.length} webhooks.\n`)
    return exitCode.done
  }
  const rest = 'untold' in left ? `${tellUntold(left.untold)}.\n` : `\n${renderDifferences([left], account)}`
  io.stderr(`The account did not store everything: ${rest}`)
  return exitCode.findings
}

/** Creates before it deletes, so that every event always has a receiver. */
async function change(
  { webhooks }: ApiClient,
  { missing, changed, surplus }: WebhooksDifference,
): Promise<void> {
  for (const each of missing) await webhooks.create(toWebhookFields(each))
  for (const { account, config } of changed) await webhooks.replace(account.id, toWebhookFields(config))
  for (const { id } of surplus) await webhooks.delete(id)
}

function refuse(word: string, io: Io): ExitCode {
  const suggestion = suggest(word, actions)
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  io.stderr(
    `continuation-point: webhooks takes list or apply, not ${escapeControls(JSON.stringify(word))}${question}\n` +
      'See continuation-point webhooks --help.\n',
  )
  return exitCode.usage
}

const actions = ['list', 'apply'] as const

type Action = (typeof actions)[number]
