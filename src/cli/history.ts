import { type ExportTarget, exportHistory, type HistoryOrder } from '../account/history/export-history.ts'
import { HISTORY_FORMATS } from '../account/history/history-format.ts'
import { parseMoment } from '../account/history/moment.ts'
import { readInterrupted, saveHistory } from '../account/history/part-file.ts'
import type { LoadedAccounts } from '../account/open-accounts.ts'
import { UnsafeFileError } from '../api/own-file.ts'
import { fileFault } from '../config/file-fault.ts'
import { redactUrl } from '../http/redact-url.ts'
import { count } from '../text/count.ts'
import { escapeControls } from '../text/escape.ts'
import { type Arguments, configOption, defineCommand, type Outcome, type Refusal } from './command.ts'
import { explainOutputFault, type Io } from './io.ts'
import { openProgress } from './progress.ts'
import { unsafeStartReason } from './unsafe-start.ts'
import { withAccounts } from './with-accounts.ts'

const options = {
  from: { value: 'TIME', summary: 'the earliest start of a session, inclusive' },
  to: { value: 'TIME', summary: 'the end of the range, exclusive (default: now)' },
  format: {
    value: 'FORMAT',
    choices: HISTORY_FORMATS,
    summary: 'one JSON object on each line, or a table (default: ndjson)',
  },
  output: { value: 'FILE', summary: 'the file to write (default: standard output)' },
  force: { summary: 'with --output: replace the file if it exists' },
  account: { value: 'URL', summary: 'if the config has several accounts: that of this point' },
  config: configOption,
} as const

export const command = defineCommand({
  details: (program) => `TIME is a day, 2026-01-31, which begins at midnight UTC, or a time with its zone,
2026-01-31T12:00:00+01:00. Adjacent ranges share no session. The REST key is the
config's apiKey.

With --output the export is written to FILE.part, which is renamed to FILE when it is
complete. Run the same command again to continue an interrupted export. An existing
FILE is kept, unless --force is given. Only the owner may read the file: it contains
PINs and links.

In csv every text is quoted, and one that a spreadsheet would run as a formula starts
with an apostrophe. Fields that the service does not document are only in ndjson.

  ${program} history export --from 2026-01-01 --to 2026-02-01 \\
    --format csv --output january.csv`,
  options,
  operands: { usage: 'export', min: 1, max: 1, choices: ['export'] },
  run,
})

type Values = Arguments<typeof options>['values']

async function run({ values }: Arguments<typeof options>, io: Io): Promise<Outcome> {
  if (values.force && values.output === undefined) return { fault: '--force needs --output' }
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const interrupted =
    values.output === undefined ? undefined : await readInterrupted(values.output).catch(() => undefined)
  const asked = parseRange(values, interrupted?.to ?? new Date().toISOString())
  if (typeof asked === 'string') return { fault: asked }
  const work = async (loaded: LoadedAccounts, _asking: Io, signal: AbortSignal) => {
    const chosen = chooseAccount(loaded, values.account)
    if (!('account' in chosen)) return chosen
    const order: HistoryOrder = {
      ...chosen,
      ...asked,
      // Ctrl-C ends the export cleanly: the lock is released, and the export can be continued.
      signal,
      nowMs: Date.now,
      tell: (line) => io.stderr(`${line}\n`),
      openProgress: () => openProgress(io),
    }
    return values.output === undefined
      ? exportToStdout(order, io)
      : exportToFile(order, values.output, values.force)
  }
  return withAccounts(values.config, () => ({ restKey: true, webhooks: [], problems: [] }), work, io)
}

function parseRange({ from, to, format = 'ndjson' }: Values, otherwiseTo: string) {
  if (from === undefined) return '--from is missing: the earliest start, such as --from 2026-01-31'
  const [start, end] = [parseMoment(from), parseMoment(to ?? otherwiseTo)]
  if ('reason' in start) return `--from ${JSON.stringify(from)} ${start.reason}`
  if ('reason' in end) return `--to ${JSON.stringify(to ?? otherwiseTo)} ${end.reason}`
  if (start.ms >= end.ms) return '--to is not after --from, and the end of the range is exclusive'
  return { fromMs: start.ms, toMs: end.ms, format }
}

function chooseAccount(
  { accounts, config }: LoadedAccounts,
  wanted: string | undefined,
): Pick<HistoryOrder, 'history' | 'account' | 'api'> | Refusal {
  const named = accounts.find(({ config: { points } }) =>
    points.some((index) => config.points[index]?.url === wanted),
  )
  const account = wanted === undefined && accounts.length === 1 ? accounts[0] : named
  if (account !== undefined) {
    const { client, service, config: its } = account
    return { history: client.history, account: its.name ?? '', api: service }
  }
  const fault =
    wanted === undefined ? 'the config has several accounts' : '--account is not a point of the config'
  return {
    message: `${fault}: choose an account by one of its points`,
    lines: config.points.map(({ url }) => `  --account ${escapeControls(redactUrl(url))}`),
  }
}

async function exportToStdout(order: HistoryOrder, { log }: Pick<Io, 'log'>): Promise<'done' | Refusal> {
  let fault: string | undefined
  const target: ExportTarget = {
    append: (text) =>
      new Promise((resolve, reject) =>
        log(text, (error) => {
          if (!error) return resolve()
          fault = 'code' in error ? String(error.code) : error.name
          reject(error)
        }),
      ),
    keep: async () => {},
  }
  try {
    await exportHistory(order, target, { slices: 0, sessions: 0 })
    return 'done'
  } catch (error) {
    if (fault === undefined) throw error
    // A reader that closes the pipe, such as `head`, is not an error.
    if (fault === 'EPIPE' || fault === 'ERR_STREAM_DESTROYED') return 'done'
    return { message: explainOutputFault(fault), outcome: 'inconclusive' }
  }
}

async function exportToFile(order: HistoryOrder, path: string, replace: boolean): Promise<'done' | Refusal> {
  try {
    const saved = await saveHistory(order, path, replace)
    if (typeof saved !== 'number') return saved
    order.tell(`Wrote ${count(saved, 'session')} to ${escapeControls(path)}.`)
    return 'done'
  } catch (error) {
    if (error instanceof UnsafeFileError) return { message: error.message }
    if (!(error instanceof Error) || !('code' in error)) throw error
    return { message: `${path} can't be written: ${fileFault(error, 'write')}` }
  }
}
