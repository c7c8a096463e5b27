import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { ask } from '../sandbox/support/ask.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { endAfterTest } from '../support/open-for-test.ts'
import { type Program, runProgram, startProgram } from '../support/program.ts'

const POINT = 'https://www.example.com/service_cookie_transfer/'

describe('check --watch', () => {
  it('says what turned green once the config changed, and why a broken one could not be checked', async () => {
    const { file, write } = await makeConfig([POINT.slice(0, -1)])
    const program = start(['check', '--offline', '--watch', '--config', file])
    await program.printed(/error url\/prefix/)
    await write('{')
    await until(program, () => program.stderr().includes(`${file}:1:2`))
    await write(toText([POINT, POINT]))
    await program.printed(/✖ error {2}url\/duplicate {2}https:\S+ {2}.+\n {2}fix {2}/)
    await write(toText([POINT]))
    await program.printed(/✔ green {2}url\/duplicate {2}https:\S+\n.*no findings/)
    expect(program.stderr().match(new RegExp(`${file}:1:2`, 'g'))).toHaveLength(1)
  })

  it('says that a failure is gone with its subject, that it is back, and that a config is good again', async () => {
    const { file, write } = await makeConfig([POINT])
    const program = start(['check', '--offline', '--watch', '--config', file])
    const added = 'https://www.example.com/shop/service_cookie_transfer'
    await program.printed(/no findings/)
    for (const times of [1, 2]) {
      await write(toText([POINT, added]))
      await program.printed(new RegExp(`(?:✖ error {2}url/prefix {2}${added} [\\s\\S]*){${times}}`))
      await write(toText([POINT]))
      await program.printed(
        new RegExp(`(?:✔ gone {2}url/prefix {2}${added}\\n.*no findings[\\s\\S]*){${times}}`),
      )
    }
    const counted = program.stdout().match(/no findings/g)?.length ?? 0
    await write('{')
    await until(program, () => program.stderr().includes(`${file}:1:2`))
    await write(toText([POINT]))
    await program.printed(new RegExp(`(?:no findings[\\s\\S]*){${counted + 1}}`))
  })

  it('waits for a change if the config is invalid from the start', async () => {
    const { file, write } = await makeConfig([])
    await write('{')
    const program = start(['check', '--offline', '--watch', '--config', file])
    await until(program, () => /:1:2[\s\S]+Ctrl-C ends it\.\n$/.test(program.stderr()))
    await write(toText([POINT, POINT]))
    await program.printed(/✖ error {2}url\/duplicate {2}https:.+[\s\S]+1 error/)
    expect(program.stderr().match(new RegExp(`${file}:1:2`, 'g'))).toHaveLength(1)
  })

  it('notices that a point was repaired, which no file here says', async () => {
    const demo = start(['demo', '--port', '0'])
    const [, shop = '', point = ''] = await demo.printed(/start a session (\S+)[\s\S]+point on \/ +(\S+)\n/)
    const choose = (broken: 'yes' | 'no') =>
      ask(`http://127.0.0.1:${new URL(shop).port}`, '/break', {
        method: 'POST',
        headers: { Host: new URL(shop).host, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `broken=${broken}`,
      })
    await choose('yes')
    const program = start(['check', point, '--watch'])
    await program.printed(/error live\/widget-key/)
    await choose('no')
    await program.printed(new RegExp(`✔ green {2}live/widget-key {2}${point}\n`))
  }, 60_000)

  describe.runIf(isInstalled('python3'))('at a terminal', () => {
    const terminal = fileURLToPath(new URL('../support/typed-terminal.py', import.meta.url))
    const type = (text: string, file: string) =>
      startProgram(['check', '--offline', '--watch', '--config', file], {
        node: 'python3',
        nodeFlags: [terminal, text, process.execPath],
      })

    it('checks at once on Enter', async () => {
      const { file } = await makeConfig([POINT])
      const program = type('\n', file)
      await program.printed(/no findings[\s\S]+Ctrl-C ends it\.\s+.*no findings/)
      program.signal('SIGTERM')
      await program.ended()
    })

    it('ends with 130 on Ctrl-C', async () => {
      const { file } = await makeConfig([POINT])
      expect(await type('\u0003', file).ended()).toBe(130)
    })
  })
})

it('check --open opens the HTML report in a browser', async () => {
  const { file, folder } = await makeConfig([POINT])
  const opened = join(folder, 'opened')
  await writeFile(
    join(folder, 'xdg-open'),
    `#!/bin/sh\ncp "$1" ${opened}.unfinished && mv ${opened}.unfinished ${opened}\n`,
  )
  await chmod(join(folder, 'xdg-open'), 0o755)
  const env = { PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder }
  const words = ['check', '--offline', '--open', '--config', file]
  expect(await runProgram(words, { env })).toMatchObject({ code: 0 })
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toContain('<!doctype html>')
  const without = { env: { PATH: folder, TMPDIR: folder }, node: process.execPath }
  await writeFile(join(folder, 'xdg-open'), '#!/bin/sh\nexit 3\n')
  const report = '--open: the report is \\S+report\\.html; '
  expect(await runProgram(words, without)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(`${report}xdg-open failed with exit code 3\n$`),
  })
  await rm(join(folder, 'xdg-open'))
  expect(await runProgram(words, without)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(`${report}xdg-open can't be run\n$`),
  })
})

const start = (words: readonly string[]) => endAfterTest(startProgram(words), 'SIGINT')

async function until(program: Program, isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 10_000, message: program.stderr() }).toBe(true)
}

async function makeConfig(points: readonly string[]) {
  const folder = openFolderOfTest()
  const file = join(folder, 'config.json')
  const write = (text: string) => writeFile(file, text)
  await write(toText(points))
  return { file, folder, write }
}

function toText(points: readonly string[]): string {
  return JSON.stringify({
    service: { url: 'https://cobrowse.example.net' },
    points,
    pages: ['https://www.example.com/'],
    cookies: [{ name: 'sid', domain: 'www.example.com', path: '/', httponly: true }],
  })
}
