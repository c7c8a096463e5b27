import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { listening, startProgram } from '../support/program.ts'
import { blocks } from './documents.ts'

const folder = mkdtempSync(join(tmpdir(), 'readme-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SET_COOKIES = [
  'sid=1; Path=/; Secure; HttpOnly',
  'basket=1; Domain=example.com; Path=/shop; Secure; HttpOnly',
]
const HAR = {
  log: {
    entries: [
      {
        request: { url: 'https://www.example.com/', cookies: [] },
        response: { headers: SET_COOKIES.map((value) => ({ name: 'Set-Cookie', value })) },
      },
    ],
  },
}

/** What each command line of the README is to do; nothing here asks another machine. */
const expectations: readonly (readonly [line: string, play: (words: readonly string[]) => Promise<void>])[] =
  [
    [
      'init https://www.example.com/ --from-cookies cookies.har --service https://cobrowse.example.net',
      async (words) => {
        expect(await outputOf(words)).toMatch(/^Wrote config\.json: 2 points, 2 cookies\./)
      },
    ],
    [
      'render nginx --output /etc/nginx',
      async (words) => {
        const printed = await outputOf(words.map((word) => word.replace('/etc/nginx', folder)))
        const [, included = ''] = /^ {2}include (\S+);$/m.exec(printed) ?? []
        expect(existsSync(join(folder, included))).toBe(true)
      },
    ],
    ['settings apply', playWithoutService],
    [
      'serve',
      async (words) => {
        const env = { WIDGET_KEY: 'key', CONTINUATION_PORT: '0', CONTINUATION_ADMIN_PORT: '0' }
        const program = startProgram(words, { cwd: folder, env })
        await listening(program)
        program.signal('SIGTERM')
        expect(await program.ended()).toBe(0)
      },
    ],
    [
      'check',
      async (words) => {
        expect(await outputOf([...words, '--offline'])).toContain('\nno findings;')
      },
    ],
  ]

it('the commands of the README, one after the other, do what it says', async () => {
  writeFileSync(join(folder, 'cookies.har'), JSON.stringify(HAR))
  const lines = blocks
    .filter(({ path, language }) => path === 'README.md' && language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .flatMap((line) => line.split('npx continuation-point ').slice(1))
  expect(lines.length).toBe(expectations.length)
  expect(lines.filter((line) => !expectations.some(([known]) => known === line))).toEqual([])
  for (const line of lines) await expectations.find(([known]) => known === line)?.[1](line.split(' '))
}, 60_000)

async function outputOf(words: readonly string[]): Promise<string> {
  const program = startProgram(words, { cwd: folder })
  expect(await program.ended(), program.stderr()).toBe(0)
  return program.stdout()
}

/** The service of the README is nobody's: without its key the command says what to add, and asks nobody. */
async function playWithoutService(words: readonly string[]): Promise<void> {
  const program = startProgram(words, { cwd: folder })
  expect(await program.ended()).toBe(2)
  expect(program.stderr()).toMatch(/WIDGET_KEY|apiKey/)
}
