import { setImmediate } from 'node:timers/promises'
import { check, chooseRules } from '../check/check.ts'
import type { Facts } from '../check/facts.ts'
import { mergeGivenPoints } from '../check/given-points.ts'
import { readGivenUrls } from '../check/given-urls.ts'
import { findNothingToCheck } from '../check/not-judged.ts'
import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { FORMATS, isFormat, render, renderPieces } from '../check/report/formats.ts'
import { renderJobSummary } from '../check/report/github.ts'
import type { Report } from '../check/report/report.ts'
import { findChoiceFault, findRuleIds } from '../check/rule-choice.ts'
import { rules } from '../check/rules/index.ts'
import { chooseExitCode, FAIL_ON_WORDS } from '../check/summary.ts'
import type { Config } from '../config/config.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { DEFAULT_FILE, loadConfig } from '../config/load.ts'
import { DEFAULT_PREFIX, FRONT_END_NAMES } from '../config/schema.ts'
import { didYouMean } from '../config/suggestion.ts'
import { redactUrl } from '../http/url.ts'
import { findPrefix } from '../points/point.ts'
import { COLOUR_WISHES, choosePaint, type Paint, withoutColour } from '../text/paint.ts'
import type { Program } from '../text/typed-command.ts'
import {
  type Arguments,
  configOption,
  defineCommand,
  type Outcome,
  prefixOption,
  type Refusal,
} from './command.ts'
import { type Io, printerOf, readOnce } from './io.ts'
import { loadCertificates, parseOverrides } from './network-flags.ts'
import { refuse, unsafeStartReason } from './refuse.ts'
import { readTool } from './version.ts'

const options = {
  config: configOption,
  page: { value: 'URL', multiple: true, summary: 'a page where the widget runs' },
  prefix: prefixOption,
  offline: { summary: 'use no network: check only the config' },
  resolve: { value: 'HOST:IP', multiple: true, summary: 'connect to the host at this address' },
  'ca-file': { value: 'FILE', summary: 'trust only these certificate authorities (PEM)' },
  format: { value: 'FORMAT', choices: FORMATS, summary: 'format of the report on stdout' },
  output: { value: 'FORMAT=PATH', multiple: true, summary: 'also write a report to a file' },
  'fail-on': {
    value: 'SEVERITY',
    choices: FAIL_ON_WORDS,
    summary: 'exit with 1 for findings of at least this severity',
  },
  'front-end': {
    value: 'NAME',
    choices: FRONT_END_NAMES,
    summary: 'the server whose lines fixes show (default: "frontEnd" of the config, or what it recognises)',
  },
  only: { value: 'ID', multiple: true, summary: 'run only this rule, or the rules of this group (account)' },
  skip: { value: 'ID', multiple: true, summary: 'skip this rule, or the rules of this group' },
  watch: {
    summary: 'check again after changes, or on Enter, and print what turned green; Ctrl-C ends it',
  },
  every: {
    value: 'TIME',
    summary: 'check again so often (5m), and print how it stands and then each change; Ctrl-C ends it',
  },
  explain: { summary: 'explain the rule that is named in place of a URL; without one, list all rules' },
  open: { summary: 'also open the HTML report in a browser' },
  color: { value: 'WHEN', choices: COLOUR_WISHES, summary: 'colour the report' },
} as const

export const command = defineCommand({
  details: `The URLs are continuation points; they replace those in the config. For a page of a site, such as www.example.com, the point on its origin is checked. Exit code 0: no finding of at least the severity --fail-on (error). 1: findings. 2: a usage error or an invalid config. 3: could not check.`,
  options,
  operands: { usage: '[URL…]', min: 0, max: Number.POSITIVE_INFINITY },
  run,
})

type Values = Arguments<typeof options>['values']

async function run(args: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const { values, operands } = args
  if (values.explain) return printExplanation(operands, io)
  if (values.every === undefined && !values.watch) return checkAndWatch(args, io)
  const unread = new Promise<Outcome>((resolve) => {
    io.onOutputClosed(() => {
      io.endWithCommand()
      resolve('done')
    })
  })
  const checking = values.every === undefined ? checkAndWatch(args, io) : repeat(values.every, args, io)
  return Promise.race([checking, unread])
}

/** Checks once; with `--watch` again and again. */
async function checkAndWatch(args: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const { values } = args
  const paint = choosePaint(io, values.color)
  const first = await checkOnce(args, io)
  if (!('report' in first)) {
    // Only a config can be put right while it is watched.
    if (!values.watch || !('problems' in first)) return first
  } else {
    const faults = await printReport(first.report, values, paint, io)
    if (faults.length > 0) return { messages: faults }
    if (!values.watch) return OUTCOMES[first.report.exitCode]
  }
  let lastRefusal = ''
  const toReport = (ran: Ran | Refusal) => {
    const said: string[] = []
    if (!('report' in ran)) refuse(ran, ' check', { ...io, stderr: (text) => void said.push(text) })
    const refusal = said.join('')
    if (refusal !== lastRefusal) io.stderr(refusal)
    lastRefusal = refusal
    return 'report' in ran ? ran.report : undefined
  }
  const checkAgain = () =>
    checkOnce(args, { ...io, stderrColumns: undefined, stderr: () => {} }).then(toReport)
  const file = 'report' in first ? first.file : (values.config ?? DEFAULT_FILE)
  return (await import('./watch-report.ts')).watchReport(toReport(first), checkAgain, file, paint, io)
}

async function printExplanation(operands: readonly string[], io: Io): Promise<Outcome> {
  const [rule, surplus] = operands
  if (surplus !== undefined) return { fault: '--explain takes one rule' }
  const { explain } = await import('../check/explain.ts')
  const text = explain(rule)
  if (typeof text !== 'string') return text
  io.stdout(text)
  return 'done'
}

/** Files of `--output` are replaced in each round. */
async function repeat(every: string, args: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const { values } = args
  const { checkEvery, parseInterval } = await import('./check-every.ts')
  const interval = parseInterval(every)
  if ('fault' in interval) return interval
  const { format = io.stdoutIsTty ? 'pretty' : 'json' } = values
  if (values.watch || values.open)
    return { fault: `--${values.watch ? 'watch' : 'open'} can't be used with --every` }
  if (format !== 'pretty' && format !== 'json')
    return { fault: `--every prints lines as pretty or json; for a report use --output ${format}=PATH` }
  const rounds = {
    everyMs: interval.ms,
    asJson: format === 'json',
    paint: choosePaint(io, values.color),
    check: (quiet: Io) => checkOnce(args, quiet),
    write: (report: Report) => writeReports(report, values, io),
  }
  return checkEvery(rounds, io)
}

/** @returns a message for each file that could not be written */
async function printReport(report: Report, values: Values, paint: Paint, io: Io): Promise<readonly string[]> {
  const faults = await writeReports(report, values, io)
  const print = printerOf(values.format, io)
  for (const piece of renderPieces(report, values.format ?? 'pretty', paint, io.stdoutColumns)) {
    print(piece)
    // Lets the stream flush between pieces; written at once, the whole report would be buffered.
    await setImmediate()
  }
  const openFault = values.open ? await io.openPage(render(report, 'html', withoutColour)) : undefined
  if (openFault !== undefined) io.stderr(`--open: ${openFault}\n`)
  return faults
}

interface Ran {
  readonly report: ReturnType<typeof makeReport>
  /** The config that was read, if any. */
  readonly file: string | undefined
}

async function checkOnce(
  { values: written, operands }: Arguments<typeof options>,
  io: Io,
): Promise<Ran | Refusal> {
  const outputs = written.output.map(parseOutput)
  const [only, skip] = [written.only.map(findRuleIds), written.skip.map(findRuleIds)]
  const resolved = parseOverrides(written.resolve)
  const unsafe = written.offline ? undefined : unsafeStartReason(io)
  const faults = [
    ...[...outputs, ...only, ...skip].flatMap((each) => ('fault' in each ? [each.fault] : [])),
    ...('faults' in resolved ? resolved.faults : []),
    ...(unsafe === undefined ? [] : [unsafe]),
  ]
  if ('faults' in resolved || faults.length > 0) return { faults }
  const toIds = (found: typeof only) => found.flatMap((each) => ('ids' in each ? each.ids : []))
  const values = { ...written, only: toIds(only), skip: toIds(skip) }
  const source = { file: values.config, ...io, readFile: readOnce(io) }
  const pages = toGiven(values.page)
  const own = await loadConfig({ ...source, flags: { pages, prefix: values.prefix } })
  if ('problems' in own) return own
  const prefix = values.prefix ?? findGivenPrefix(own.config, operands)
  const asked = readGivenUrls(operands, prefix)
  const points = toGiven(asked.points)
  const loaded =
    points === undefined ? own : await loadConfig({ ...source, flags: { points, pages, prefix } })
  if ('problems' in loaded) return loaded
  const given = points && mergeGivenPoints({ ...own.config, service: loaded.config.service }, loaded.config)
  const config = given?.config ?? loaded.config
  const merged = values.config === undefined && operands.length > 0 ? loaded.file : undefined
  if (merged !== undefined) {
    io.stderr(`The URLs replace the points in ${merged}; everything else is taken from it.\n`)
  }
  const nothing = findNothingToCheck(loaded, 'name a URL')
  if (nothing !== undefined) return { fault: nothing }
  const chosen = chooseRules(rules, values)
  const choiceFault = findChoiceFault(chosen, written.only, written.offline)
  if (choiceFault !== undefined) return { fault: choiceFault }
  const certificates = await loadCertificates(values['ca-file'], io)
  if (certificates !== undefined && 'message' in certificates) return certificates
  const flags = { ...resolved, certificates }
  const known = { ...gatherOfflineFacts(config), ownUrls: given?.ownUrls, askedPages: asked.pages }
  const facts = values.offline
    ? known
    : await (await import('./live-facts.ts')).addLiveFacts(known, { config, given }, chosen, flags, io)
  const frontEnd = values['front-end'] ?? facts.frontEnd
  const report = makeReport({ ...facts, frontEnd }, config, { values, operands }, io.program)
  return { report, file: loaded.file }
}

/** The vendor's path: the config's, or where that has no points and the default, what a given URL ends with. */
function findGivenPrefix({ points, service: { prefix } }: Config, urls: readonly string[]): string {
  if (points.length > 0 || prefix !== DEFAULT_PREFIX) return prefix
  return urls.map(findPrefix).find((found) => found !== undefined) ?? prefix
}

function makeReport(
  facts: Facts,
  config: Config,
  { values, operands }: Arguments<typeof options>,
  program: Program,
) {
  const { only, skip } = values
  const result = check(facts, rules, { only, skip, suppress: config.suppress })
  const failOn = values['fail-on'] ?? 'error'
  const mode = values.offline ? ('offline' as const) : ('live' as const)
  const run = { command: redactCommand(values, operands), atMs: Date.now() }
  const tool = readTool()
  return { tool, program, mode, exitCode: chooseExitCode(result.findings, failOn), run, result, rules }
}

/** The arguments that determine what is checked; URLs without what a report must not show. */
function redactCommand(values: Values, operands: readonly string[]): string {
  const words = (
    ['config', 'page', 'prefix', 'offline', 'resolve', 'ca-file', 'only', 'skip'] as const
  ).flatMap((name) => {
    const value = values[name]
    if (typeof value === 'boolean') return value ? `--${name}` : []
    return [value ?? []].flat().flatMap((word) => [`--${name}`, name === 'page' ? redactUrl(word) : word])
  })
  return ['continuation-point check', ...operands.map(redactUrl), ...words].join(' ')
}

function parseOutput(word: string) {
  const [, format = '', path = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? []
  if (path === '') return { fault: `--output takes FORMAT=PATH, not ${JSON.stringify(word)}` }
  if (path === '-') return { fault: `--output takes the path of a file, not -: use --format ${format}` }
  if (isFormat(format)) return { format, path }
  const next = didYouMean(format, FORMATS, `: one of ${FORMATS.join(', ')}`)
  return { fault: `--output has no format ${JSON.stringify(format)}${next}` }
}

/** @returns a message for each file that could not be written */
async function writeReports(report: Report, values: Values, io: Io): Promise<string[]> {
  const outputs = values.output.map(parseOutput).flatMap((output) => ('fault' in output ? [] : [output]))
  const faults: string[] = []
  const write = async (name: string, path: string, text: string) => {
    const fault = await findWriteFault(io.writeFile(path, text))
    if (fault !== undefined) faults.push(`${name} ${path} can't be written: ${fault}`)
  }
  for (const { format, path } of outputs) {
    await write('--output', path, render(report, format, withoutColour))
  }
  const summaryFile = io.env.GITHUB_STEP_SUMMARY
  const usesGithub = values.format === 'github' || outputs.some(({ format }) => format === 'github')
  if (usesGithub && summaryFile) {
    // The other steps of the job write to the same file; it may not exist yet.
    const before = await io.readFile(summaryFile).catch(() => '')
    await write('GITHUB_STEP_SUMMARY', summaryFile, `${before}${renderJobSummary(report)}\n`)
  }
  return faults
}

const OUTCOMES = { 0: 'done', 1: 'findings', 3: 'inconclusive' } as const

function toGiven(words: readonly string[]): readonly string[] | undefined {
  return words.length === 0 ? undefined : words
}
