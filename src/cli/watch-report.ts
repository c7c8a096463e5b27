import { setTimeout as wait } from 'node:timers/promises'
import { toSubjectText } from '../check/finding.ts'
import { toCountsText } from '../check/report/conclusion.ts'
import type { Report } from '../check/report/report.ts'
import { advance, type Change } from '../monitor/verdicts.ts'
import { toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import type { Io } from './io.ts'

/**
 * Checks again on Enter, at once when the config changes, and every few seconds for what else may have, such as the front end
 * or `serve`. Prints only the verdicts that changed. Ends with the process.
 *
 * @param check `undefined` if it could not, which it has said
 * @param file the config
 */
export async function watchReport(
  first: Report,
  check: () => Promise<Report | undefined>,
  file: string | undefined,
  paint: Paint,
  io: Io,
): Promise<never> {
  io.stderr(`Watching${io.ask === undefined ? '' : ': press Enter to check at once'}. Ctrl-C ends it.\n`)
  let { verdicts } = advance(new Map(), first.result.findings, Date.now())
  let text = await readConfig(file, io)
  let enter = awaitEnter(io)
  for (;;) {
    let isAsked = false
    for (let turn = 0; turn < TURNS && !isAsked; turn += 1) {
      isAsked = await Promise.race([enter, wait(POLL_MS, false)])
      if (isAsked) enter = awaitEnter(io)
      else if (text !== (await readConfig(file, io))) break
    }
    text = await readConfig(file, io)
    const report = await check()
    if (report === undefined) continue
    const next = advance(verdicts, report.result.findings, Date.now())
    verdicts = next.verdicts
    for (const change of next.changes) io.stdout(`${formatChange(change, paint)}\n`)
    if (isAsked || next.changes.length > 0) io.stdout(`${toCountsText(report.result)}\n`)
  }
}

function formatChange(
  { is: { rule, subject, outcome, severity, message, fix } }: Change,
  paint: Paint,
): string {
  const what = toPlainText(`${rule}  ${toSubjectText(subject)}`)
  if (outcome === 'pass') return paint('green', `✔ green  ${what}`)
  const lines = [`  ${message}.`, ...(fix === undefined ? [] : [`  fix  ${fix}`])]
  return [
    paint('red', `✖ ${severity}  ${what}`),
    ...lines.flatMap((line) => line.split('\n')).map(toPlainText),
  ].join('\n')
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
