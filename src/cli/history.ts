import { ApiError } from '../api/errors.ts'
import { UnsafeFileError } from '../api/own-file.ts'
import { fileFault } from '../config/file-fault.ts'
import { type ExportTarget, exportHistory } from '../export/export-history.ts'
import { type HistoryFormat, historyFormats, historyWritings } from '../export/history-format.ts'
import { parseMoment } from '../export/moment.ts'
import { openPartFile, type PartFile, type PartRefusal, readInterrupted } from '../export/part-file.ts'
import { toSlices } from '../export/slices.ts'
import { toShownUrl } from '../http/shown-url.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { escapeControls } from '../text/escape.ts'
import { type Arguments, configOption, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { type Io, toOutputFault } from './io.ts'
import { loadAccounts, type OpenAccount, withService } from './open-accounts.ts'
import { openProgress } from './progress.ts'
import { mayPass } from './service-fault.ts'

const options = {
  from: { value: 'TIME', summary: 'the earliest start of a session, inclusive' },
  to: { value: 'TIME', summary: 'the end of the range, exclusive (default: now)' },
  format: {
    value: 'FORMAT',
    choices: historyFormats,
    summary: 'one JSON object on each line, or a table (default: ndjson)',
  },
  output: { value: 'FILE', summary: 'the file to write (default: standard output)' },
  force: { summary: 'with --output: replace the file if it exists' },
  account: { value: 'URL', summary: 'if the config has several accounts: that of this point' },
  config: configOption,
} as const

export const command = defineCommand({
  details: `TIME is a day, 2026-01-31, which begins at midnight UTC, or a time with its zone,
2026-01-31T12:00:00+01:00. Adjacent ranges share no session. The REST key is the
config's apiKey; the export stays within the service's limit of 100 calls a minute.

With --output the export is written to FILE.part, which is renamed to FILE when it is
complete. Run the same command again to continue an interrupted export. An existing
FILE is kept, unless --force is given. Only the owner may read the file: it contains
PINs and links.

In csv every text is quoted, and one that a spreadsheet would run as a formula starts
with an apostrophe. Fields that the service does not document are only in ndjson.

  continuation-point history export --from 2026-01-01 --to 2026-02-01 \\
    --format csv --output january.csv`,
  options,
  operands: { usage: 'export', min: 1, max: 1, choices: ['export'] },
  run,
})

type Values = Arguments<typeof options>['values']

interface Asked {
  readonly fromMs: number
  readonly toMs: number
  readonly format: HistoryFormat
}

async function run({ values }: Arguments<typeof options>, io: Io): Promise<ExitCode | Refusal> {
  if (values.force && values.output === undefined) return { fault: '--force needs --output' }
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const interrupted =
    values.output === undefined ? undefined : await readInterrupted(values.output).catch(() => undefined)
  const asked = parseRange(values, interrupted?.to ?? new Date().toISOString())
  if (typeof asked === 'string') return { fault: asked }
  const opened = await openAccount(values, io)
  if (typeof opened === 'number' || !('account' in opened)) return opened
  // Ctrl-C ends the export cleanly: the lock is released, and the export can be continued.
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) io.onSignal(signal, () => abort.abort())
  const run: Transfer = { ...opened, asked, signal: abort.signal, io }
  return withService(io, () =>
    values.output === undefined ? exportToStdout(run) : exportToFile(run, values.output, values.force),
  )
}

function parseRange({ from, to, format = 'ndjson' }: Values, otherwiseTo: string): Asked | string {
  if (from === undefined) return '--from is missing: the earliest start, such as --from 2026-01-31'
  const [start, end] = [parseMoment(from), parseMoment(to ?? otherwiseTo)]
  if ('reason' in start) return `--from ${JSON.stringify(from)} ${start.reason}`
  if ('reason' in end) return `--to ${JSON.stringify(to)} ${end.reason}`
  if (start.ms >= end.ms) return '--to is not after --from, and the end of the range is exclusive'
  return { fromMs: start.ms, toMs: end.ms, format }
}

interface OpenedAccount {
  readonly account: OpenAccount
  readonly api: string
}

async function openAccount(
  { config: file, account: wanted }: Values,
  io: Io,
): Promise<OpenedAccount | Refusal | ExitCode> {
  const loaded = await loadAccounts(file, io, () => ({ restKey: true, webhooks: [], problems: [] }))
  if ('problems' in loaded) return loaded
  const { accounts, config } = loaded
  const named = accounts.find(({ config: { points } }) =>
    points.some((index) => config.points[index]?.url === wanted),
  )
  const account = wanted === undefined && accounts.length === 1 ? accounts[0] : named
  if (account !== undefined) return { account, api: config.service.api ?? '' }
  const names = config.points.map(({ url }) => `  --account ${escapeControls(toShownUrl(url))}\n`).join('')
  const fault =
    wanted === undefined ? 'the config has several accounts' : '--account is not a point of the config'
  io.stderr(`continuation-point: ${fault}: choose an account by one of its points\n${names}`)
  return exitCode.usage
}

async function exportToStdout(run: Transfer): Promise<ExitCode> {
  let fault: string | undefined
  const target: ExportTarget = {
    append: (text) =>
      new Promise((resolve, reject) =>
        run.io.log(text, (error) => {
          if (!error) return resolve()
          fault = 'code' in error ? String(error.code) : error.name
          reject(error)
        }),
      ),
    keep: async () => {},
  }
  try {
    await transfer(run, target, { slices: 0, sessions: 0 })
    return exitCode.done
  } catch (error) {
    if (fault === undefined) throw error
    // A reader that closes the pipe, such as `head`, is not an error.
    if (fault === 'EPIPE' || fault === 'ERR_STREAM_DESTROYED') return exitCode.done
    run.io.stderr(`continuation-point: ${toOutputFault(fault)}\n`)
    return exitCode.inconclusive
  }
}

async function exportToFile(run: Transfer, path: string, replace: boolean): Promise<ExitCode | Refusal> {
  const { account, api, asked, io } = run
  const identity = {
    from: new Date(asked.fromMs).toISOString(),
    to: new Date(asked.toMs).toISOString(),
    format: asked.format,
    api,
    account: account.config.name ?? '',
  }
  try {
    const part = await openPartFile(path, identity, { replace })
    if (isRefusal(part)) return tellRefusal(part, path, io)
    return await fill(part, run, path)
  } catch (error) {
    if (error instanceof UnsafeFileError) return { message: error.message }
    if (!(error instanceof Error) || !('code' in error)) throw error
    return { message: `${path} can't be written: ${fileFault(error, 'write')}` }
  }
}

/** What both kinds of output need. */
interface Transfer extends OpenedAccount {
  readonly asked: Asked
  readonly signal: AbortSignal
  readonly io: Io
}

async function fill(part: PartFile, run: Transfer, path: string): Promise<ExitCode> {
  const { io } = run
  const { slices, sessions: there } = part.before
  try {
    if (slices > 0) io.stderr(`Continuing an interrupted export: it has ${there} sessions so far.\n`)
    const sessions = await transfer(run, part, part.before)
    await part.finish()
    io.stderr(`Wrote ${sessions} ${sessions === 1 ? 'session' : 'sessions'} to ${escapeControls(path)}.\n`)
    return exitCode.done
  } catch (error) {
    if (!(error instanceof ApiError) || mayPass(error)) {
      io.stderr('The export was interrupted. Run the same command again to continue it.\n')
    }
    throw error
  } finally {
    await part.close()
  }
}

async function transfer(
  { account, asked, signal, io }: Transfer,
  target: ExportTarget,
  before: PartFile['before'],
): Promise<number> {
  const slices = toSlices(asked)
  const progress = openProgress(io)
  const exported = exportHistory({
    history: account.client.history,
    slices,
    before,
    writing: historyWritings[asked.format],
    target,
    signal,
    nowMs: Date.now,
    show: (now) =>
      progress.show(`history: part ${now.slices + 1} of ${slices.length}, ${now.sessions} sessions`),
  })
  const { sessions, strays } = await exported.finally(() => progress.close())
  if (strays > 0) {
    const results = strays === 1 ? 'result' : 'results'
    io.stderr(`Left out ${strays} ${results} from outside the time range that the service was asked for.\n`)
  }
  return sessions
}

function isRefusal(part: PartFile | PartRefusal): part is PartRefusal {
  return typeof part === 'string' || 'other' in part
}

function tellRefusal(refusal: PartRefusal, path: string, io: Io): ExitCode | Refusal {
  if (refusal === 'exists')
    return { message: `${path} exists already: name another file, or replace it with --force` }
  if (refusal === 'directory') return { message: `${path} is a directory: name a file` }
  if (refusal === 'no-file')
    return { message: `${path} is not a regular file: name another, or omit --output to use standard output` }
  if (refusal === 'held') {
    io.stderr(
      `continuation-point: another export is writing ${escapeControls(path)}: wait for it, or name another file\n`,
    )
    return exitCode.inconclusive
  }
  const { from = '', to = '', format = '' } = refusal.other
  return {
    message:
      `${path}.part belongs to another interrupted export (--from ${from} --to ${to} --format ${format}): ` +
      `finish that one, or delete ${path}.part.json`,
  }
}
