import { setTimeout as wait } from 'node:timers/promises'
import { describeSubject } from '../check/finding.ts'
import { countFindings } from '../check/report/conclusion.ts'
import type { Report } from '../check/report/report.ts'
import { advance, type Change, dropGone, type Verdict } from '../check/verdicts.ts'
import { toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import type { Io } from './io.ts'

/**
 * Checks again on Enter, at once when the config changes, and every few seconds for what else may have, such as the front end
 * or `serve`. Prints only the verdicts that changed, and failures whose subject is gone. Ends with the process.
 *
 * @param check returns `undefined` if it could not, which it has said
 */
export async function watchReport(
  first: Report | undefined,
  check: () => Promise<Report | undefined>,
  file: string | undefined,
  paint: Paint,
  io: Io,
): Promise<never> {
  io.stderr(`Watching${io.ask === undefined ? '' : ': press Enter to check at once'}. Ctrl-C ends it.\n`)
  let { verdicts } = advance(new Map(), first?.result.findings ?? [])
  let text = await readConfig(file, io)
  let enter = awaitEnter(io)
  let wasRefused = first === undefined
  for (;;) {
    let isAsked = false
    for (let turn = 0; turn < TURNS && !isAsked; turn += 1) {
      isAsked = await Promise.race([enter, wait(POLL_MS, false)])
      if (isAsked) enter = awaitEnter(io)
      else if (text !== (await readConfig(file, io))) break
    }
    text = await readConfig(file, io)
    const report = await check()
    if (report === undefined) {
      wasRefused = true
      continue
    }
    const { findings } = report.result
    const left = dropGone(verdicts, findings)
    const next = advance(left.verdicts, findings)
    verdicts = next.verdicts
    const gone = left.gone.filter(({ outcome }) => outcome === 'fail')
    const lines = [
      ...gone.map((verdict) => formatGood('gone', verdict, paint)),
      ...next.changes.map((change) => formatChange(change, paint)),
      ...(isAsked || wasRefused || gone.length + next.changes.length > 0
        ? [countFindings(report.result)]
        : []),
    ]
    for (const line of lines) io.stdout(`${line}\n`)
    wasRefused = false
  }
}

function formatChange({ is }: Change, paint: Paint): string {
  const { outcome, severity, message, fix } = is
  if (outcome === 'pass') return formatGood('green', is, paint)
  const lines = [`  ${message}.`, ...(fix === undefined ? [] : [`  fix  ${fix}`])]
  return [
    paint('red', `✖ ${severity}  ${nameVerdict(is)}`),
    ...lines.flatMap((line) => line.split('\n')).map(toPlainText),
  ].join('\n')
}

function formatGood(word: 'green' | 'gone', verdict: Verdict, paint: Paint): string {
  return paint('green', `✔ ${word}  ${nameVerdict(verdict)}`)
}

function nameVerdict({ rule, subject }: Verdict): string {
  return toPlainText(`${rule}  ${describeSubject(subject)}`)
}

/** Never resolves without a terminal, or once its input has ended. */
function awaitEnter({ ask }: Io): Promise<true> {
  return new Promise((resolve) => void ask?.('').then((line) => line !== undefined && resolve(true)))
}

function readConfig(file: string | undefined, { readFile }: Io): Promise<string | undefined> {
  return file === undefined ? Promise.resolve(undefined) : readFile(file).catch(() => undefined)
}

const POLL_MS = 500
const TURNS = 10
