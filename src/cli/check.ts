import { setImmediate } from 'node:timers/promises'
import { check, chooseRules } from '../check/check.ts'
import type { Facts } from '../check/facts.ts'
import { mergeGivenPoints, readGivenUrls } from '../check/given-points.ts'
import type { LiveSetting } from '../check/live-facts.ts'
import { findNothingToCheck } from '../check/not-judged.ts'
import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { FORMATS, parseOutput, render, renderPieces } from '../check/report/formats.ts'
import type { Report } from '../check/report/report.ts'
import { findChoiceFault, findRuleIds, rules } from '../check/rules/index.ts'
import { chooseExitCode, FAIL_ON_WORDS } from '../check/summary.ts'
import type { Config } from '../config/config.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { DEFAULT_FILE, loadConfig } from '../config/load.ts'
import { DEFAULT_PREFIX, FRONT_END_NAMES } from '../config/schema.ts'
import { findPrefix } from '../points/point.ts'
import { parseNameOverrides } from '../probe/name-override.ts'
import { COLOUR_WISHES, choosePaint, withoutColour } from '../text/paint.ts'
import { type Arguments, configOption, defineCommand, type Outcome, prefixOption } from './command.ts'
import { type Io, loadCertificates, printerOf, readOnce, showProgress } from './io.ts'
import { unsafeStartReason } from './refuse.ts'
import { readTool, version } from './version.ts'

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
  only: { value: 'ID', multiple: true, summary: 'run only this rule, or those of a group, such as live' },
  skip: { value: 'ID', multiple: true, summary: 'skip this rule, or the rules of this group' },
  watch: { summary: 'check again after changes, or on Enter, and print what turned green; Ctrl-C ends it' },
  every: {
    value: 'TIME',
    summary: 'check again at this interval (5m): print the result, then each change; Ctrl-C ends it',
  },
  explain: { summary: 'explain the rule that is named in place of a URL; without one, list all rules' },
  open: { summary: 'also open the HTML report in a browser' },
  color: { value: 'WHEN', choices: COLOUR_WISHES, summary: 'colour the report' },
} as const

export const command = defineCommand({
  details: `The URLs are continuation points; they replace those in the config. For a page of a site, such as www.example.com, the point on its origin is checked. Exit code 0: no finding of at least the severity --fail-on (error), though some checks may be inconclusive. 1: findings. 2: a usage error or an invalid config. 3: nothing that the points answer could be judged.`,
  options,
  operands: { usage: '[URL…]', min: 0, max: Number.POSITIVE_INFINITY },
  run,
})

type Values = Arguments<typeof options>['values']

async function run(args: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const { values, operands } = args
  if (values.explain) return printExplanation(operands, io)
  if (values.every !== undefined || values.watch) return repeat(args, io)
  const ran = await checkOnce(args, io)
  if (!('report' in ran)) return ran
  const messages = await writeReports(ran.report, values, io)
  await printReport(ran.report, values, io)
  return messages.length > 0 ? { messages } : OUTCOMES[ran.report.exitCode]
}

/** Files of `--output` are replaced in each round. */
async function repeat(args: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const { values } = args
  const { checkAgain, everyMode, parseInterval, watchMode } = await import('./check-again.ts')
  const paint = choosePaint(io, values.color)
  const checkWith = (mode: ReturnType<typeof everyMode>) =>
    checkAgain(
      { check: (quiet) => checkOnce(args, quiet), write: (report) => writeReports(report, values, io), mode },
      io,
    )
  if (values.every === undefined)
    return checkWith(
      watchMode((report) => printReport(report, values, io), values.config ?? DEFAULT_FILE, paint, io),
    )
  const interval = parseInterval(values.every)
  if ('fault' in interval) return interval
  const { format = io.stdoutIsTty ? 'pretty' : 'json' } = values
  if (values.watch || values.open)
    return { fault: `--${values.watch ? 'watch' : 'open'} can't be used with --every` }
  if (format !== 'pretty' && format !== 'json')
    return { fault: `--every prints lines as pretty or json; for a report use --output ${format}=PATH` }
  return checkWith(everyMode(interval.ms, format, paint, io))
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

async function printReport(report: Report, values: Values, io: Io): Promise<void> {
  const print = printerOf(values.format, io)
  const paint = choosePaint(io, values.color)
  for (const piece of renderPieces(report, values.format ?? 'pretty', paint, io.stdoutColumns)) {
    print(piece)
    // Lets the stream flush between pieces; written at once, the whole report would be buffered.
    await setImmediate()
  }
  const openFault = values.open ? await io.openPage(render(report, 'html', withoutColour)) : undefined
  if (openFault !== undefined) io.stderr(`--open: ${openFault}\n`)
}

async function checkOnce({ values: written, operands }: Arguments<typeof options>, io: Io) {
  const outputs = written.output.map(parseOutput)
  const [only, skip] = [written.only.map(findRuleIds), written.skip.map(findRuleIds)]
  const resolved = parseNameOverrides(written.resolve)
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
  if (prefix !== (values.prefix ?? own.config.service.prefix))
    io.stderr(`The vendor’s path is that of the URL: ${prefix}\n`)
  const asked = readGivenUrls(operands, prefix)
  const points = toGiven(asked.points)
  const loaded =
    points === undefined ? own : await loadConfig({ ...source, flags: { points, pages, prefix } })
  if ('problems' in loaded) return loaded
  const given = points && mergeGivenPoints({ ...own.config, service: loaded.config.service }, loaded.config)
  const config = given?.config ?? loaded.config
  const merged = values.config === undefined && operands.length > 0 ? loaded.file : undefined
  if (merged !== undefined)
    io.stderr(`The URLs replace the points in ${merged}; everything else is taken from it.\n`)
  const nothing = findNothingToCheck(loaded, 'name a URL')
  if (nothing !== undefined) return { fault: nothing }
  const chosen = chooseRules(rules, values)
  const choiceFault = findChoiceFault(chosen, written.only, written.offline)
  if (choiceFault !== undefined) return { fault: choiceFault }
  const certificates = await loadCertificates(values['ca-file'], io)
  if (certificates !== undefined && 'message' in certificates) return certificates
  const known = { ...gatherOfflineFacts(config), ownUrls: given?.ownUrls, askedPages: asked.pages }
  const facts = values.offline
    ? known
    : await askNetwork(known, { config, given, chosen, ...resolved, certificates }, io)
  const frontEnd = values['front-end'] ?? facts.frontEnd
  const choice = { only: values.only, skip: values.skip, suppress: config.suppress }
  const result = check({ ...facts, frontEnd }, rules, choice)
  const exitCode = chooseExitCode(result.findings, values['fail-on'] ?? 'error')
  const mode = values.offline ? ('offline' as const) : ('live' as const)
  return {
    report: { tool: readTool(), program: io.program, mode, exitCode, atMs: Date.now(), result, rules },
  }
}

async function askNetwork(
  facts: Facts,
  asked: Pick<LiveSetting, 'config' | 'given' | 'chosen' | 'overrides' | 'certificates'>,
  io: Io,
): Promise<Facts> {
  // They load what asks the network.
  const { addLiveFacts } = await import('../check/live-facts.ts')
  const { readAccount } = await import('../account/read-account.ts')
  try {
    return await addLiveFacts(facts, {
      ...asked,
      version,
      source: io,
      readAccount: (config, secrets, trusted) => readAccount(config, secrets, trusted, io.budgetOf),
      tell: io.stderr,
      show: (text) => showProgress(text, io),
    })
  } finally {
    showProgress('', io)
  }
}

/** The vendor's path: the config's, or where that has no points and the default, what a given URL ends with. */
function findGivenPrefix({ points, service: { prefix } }: Config, urls: readonly string[]): string {
  if (points.length > 0 || prefix !== DEFAULT_PREFIX) return prefix
  return urls.map(findPrefix).find((found) => found !== undefined) ?? prefix
}

/** @returns a message for each file that could not be written */
async function writeReports(report: Report, { output }: Values, io: Io): Promise<readonly string[]> {
  const faults: string[] = []
  for (const each of output.map(parseOutput)) {
    if ('fault' in each) continue
    const { format, path } = each
    const fault = await findWriteFault(
      Promise.resolve().then(() => io.writeFile(path, render(report, format, withoutColour))),
    )
    if (fault !== undefined) faults.push(`--output ${path} can't be written: ${fault}`)
  }
  return faults
}

const OUTCOMES = { 0: 'done', 1: 'findings', 3: 'inconclusive' } as const

function toGiven(words: readonly string[]): readonly string[] | undefined {
  return words.length === 0 ? undefined : words
}
