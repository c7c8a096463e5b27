import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/check/finding.ts'
import type { Report } from '../../src/check/report/report.ts'
import { checkAgain, everyMode, parseInterval } from '../../src/cli/check-again.ts'
import type { Refusal } from '../../src/cli/command.ts'
import { withoutColour } from '../../src/text/paint.ts'
import { aFinding } from '../check/a-finding.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { endAfterTest } from '../support/open-for-test.ts'
import { startProgram } from '../support/program.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const point = 'https://www.example.com/service_cookie_transfer/'
const subject = { point }

/** What one round brings: findings, a refusal, or an error that is thrown. */
type Round = readonly Finding[] | Refusal | Error

/** Plays rounds one after the other, then stops by a signal; returns the lines of stdout and what is on stderr. */
async function play(rounds: readonly Round[], asJson = true, unwritable: readonly number[] = []) {
  const io = fakeIo()
  let stop = () => {}
  let count = 0
  const running = checkAgain(
    {
      mode: everyMode(1, asJson ? 'json' : 'pretty', withoutColour, io),
      check: async () => {
        const round = rounds[count++]
        if (round === undefined) stop()
        if (round instanceof Error) throw round
        return Array.isArray(round) || round === undefined
          ? { report: reportOf(round ?? []) }
          : (round as Refusal)
      },
      write: async () => (unwritable.includes(count) ? ['--output x.html can’t be written'] : []),
    },
    {
      ...io,
      onSignal: (signal, listener) => {
        if (signal === 'SIGTERM') stop = listener
      },
    },
  )
  const outcome = await running
  return { outcome, lines: io.written.stdout.trimEnd().split('\n'), stderr: io.written.stderr, count }
}

function reportOf(findings: readonly Finding[]): Report {
  return { result: { findings, causes: [] } } as unknown as Report
}

const fails = aFinding()
const passes = aFinding({ outcome: 'pass' })
const other = aFinding({ id: 'url/prefix', outcome: 'pass' })
const open = aFinding({ id: 'live/forwarded', outcome: 'inconclusive', message: 'no answer' })

/** The events of the lines, without their times. */
async function eventsOf(...rounds: readonly Round[]) {
  const { lines } = await play(rounds)
  return lines.map((line) => {
    const { time, ...event } = JSON.parse(line)
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return event
  })
}

const failed = {
  event: 'failed',
  rule: 'live/connect',
  subject,
  severity: 'error',
  message: 'it is refused',
  fix: 'listen there',
}
const passed = { event: 'passed', rule: 'live/connect', subject }
const summary = { error: 0, warning: 0, info: 0, inconclusive: 0, skipped: 0, pass: 0, suppressed: 0 }
const start = (changes: object) => ({ event: 'start', schemaVersion: 1, summary: { ...summary, ...changes } })

describe('check --every', () => {
  it.each<[string, readonly Round[], readonly object[]]>([
    [
      'how it stands, and nothing while nothing changes',
      [[passes], [passes], [passes]],
      [start({ pass: 1 })],
    ],
    ['what fails from the start', [[fails], [fails]], [start({ error: 1 }), failed]],
    ['each change', [[passes], [fails], [passes]], [start({ pass: 1 }), failed, passed]],
    [
      'a failure that has become worse',
      [[aFinding({ severity: 'warning' })], [fails]],
      [start({ warning: 1 }), { ...failed, severity: 'warning' }, failed],
    ],
    [
      'a failure whose subject is no longer in the config',
      [[fails, other], [other]],
      [start({ error: 1, pass: 1 }), failed, { ...passed, event: 'gone' }],
    ],
    [
      'once that a round finds nothing out, and once that one does again, with the verdicts of before',
      [[fails], [open], [open], [fails]],
      [start({ error: 1 }), failed, { event: 'inconclusive', message: 'no answer' }, { event: 'conclusive' }],
    ],
    [
      'that the first round finds nothing out',
      [[open], [passes]],
      [start({ inconclusive: 1 }), { event: 'inconclusive', message: 'no answer' }, { event: 'conclusive' }],
    ],
    [
      'the name of an error, whose message may quote a secret',
      [[passes], new TypeError('a-secret')],
      [start({ pass: 1 }), { event: 'inconclusive', message: 'The check failed: TypeError' }],
    ],
    [
      'a config that can no longer be used',
      [[passes], { message: 'no config' }, [passes]],
      [
        start({ pass: 1 }),
        { event: 'inconclusive', message: 'The check was refused; standard error says why' },
        { event: 'conclusive' },
      ],
    ],
  ])('tells %s', async (_what, rounds, expected) => {
    expect(await eventsOf(...rounds)).toEqual(expected)
  })

  it('prints a line each for a person', async () => {
    const { lines } = await play([[fails], [open], [passes]], false)
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}/
    expect(lines.filter((line) => !time.test(line))).toEqual([])
    expect(lines.map((line) => line.replace(time, ''))).toEqual([
      expect.stringMatching(/^1 error/),
      `✖ error  live/connect  ${point}  it is refused`,
      '– could not check  no answer',
      `✔ green  live/connect  ${point}`,
      '✔ can be checked again',
    ])
  })

  it('prints the lines that docs/checking.md shows', async () => {
    const document = await readFile(new URL('../../docs/checking.md', import.meta.url), 'utf8')
    const shown = document.match(/^\{"time".*$/gm) ?? []
    const message = 'The point refuses connections: ECONNREFUSED'
    const fix = 'Start the front end, or correct the port in the URL'
    const { lines } = await play([[passes], [aFinding({ message, fix })], [passes]])
    const toShown = (line: string) => {
      const { time, summary = {}, ...rest } = JSON.parse(line)
      return [typeof time, Object.keys(summary), rest]
    }
    expect(lines.map(toShown)).toEqual(shown.map(toShown))
  })

  it('shows no control character of an answer, in either form', async () => {
    const hostile = aFinding({ message: 'a\u001b[31m\u009bb\nc' })
    for (const asJson of [true, false]) {
      const { lines } = await play([[hostile]], asJson)
      expect(lines).toHaveLength(2)
      expect(lines.join('')).not.toMatch(/[\u001b\u009b]/)
    }
  })

  it('ends at once if the first round is refused, or a report can’t be written', async () => {
    const refusal = { message: 'no config' }
    expect(await play([refusal])).toMatchObject({ outcome: refusal, count: 1 })
    expect(await play([[passes]], true, [1])).toMatchObject({ outcome: { messages: [expect.any(String)] } })
  })

  it('says once why later rounds are refused, or write no report', async () => {
    const refusal = { message: 'no config' }
    const { stderr, outcome } = await play([[passes], refusal, refusal, [passes], [passes]], true, [4, 5])
    expect(stderr).toBe(
      'continuation-point: no config\ncontinuation-point: --output x.html can’t be written\n',
    )
    expect(outcome).toBe('interrupted')
  })

  it('starts no round while another one runs', async () => {
    let stop = () => {}
    let running = 0
    let count = 0
    const check = async () => {
      running += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      count += 1
      if (count === 4) stop()
      return { report: reportOf([passes]) }
    }
    const onSignal = (_signal: string, listener: () => void) => {
      stop = listener
    }
    const io = { ...fakeIo(), onSignal }
    const rounds = { mode: everyMode(1, 'json', withoutColour, io), check, write: async () => [] }
    expect(await checkAgain(rounds, io)).toBe('interrupted')
    expect(count).toBe(4)
  })
})

it.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
])('--every %s', (text, ms) => {
  expect(parseInterval(text)).toEqual({ ms })
})

it.each([
  ['--every 29999ms', '--every takes a time from 30s to 24h, such as 5m, not "29999ms"'],
  ['--every 25h', '--every takes a time from 30s to 24h'],
  ['--every 5', '--every takes a time from 30s to 24h'],
  ['--every 0s', '--every takes a time from 30s to 24h'],
  ['--every 5m --watch', "--watch can't be used with --every"],
  ['--every 5m --open', "--open can't be used with --every"],
  ['--every 5m --format html', 'for a report use --output html=PATH'],
])('check %s is refused', async (words, message) => {
  const { code, stderr } = await runCommand(`check ${point} ${words}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

describe('the program', () => {
  const start = async (config: string) => {
    const folder = openFolderOfTest()
    await writeFile(join(folder, 'config.json'), config)
    return endAfterTest(startProgram(['check', '--offline', '--every', '24h'], { cwd: folder }))
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'writes JSON lines to a pipe, and ends with 130 on %s',
    async (signal) => {
      const program = await start(JSON.stringify({ points: [point, point] }))
      await program.printed(/"event":"start"[^\n]+\n.*"event":"failed","rule":"url\/duplicate"[^\n]+\n/)
      expect(() =>
        program
          .stdout()
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).not.toThrow()
      program.signal(signal)
      expect(await program.ended()).toBe(130)
    },
  )

  it('refuses a config that is invalid from the start', async () => {
    const program = await start('{')
    expect([await program.ended(), program.stdout()]).toEqual([2, ''])
  })
})
