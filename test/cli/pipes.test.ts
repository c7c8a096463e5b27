import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolderOfTest } from '../support/folder.ts'
import { startProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

const url = 'https://www.example.com/service_cookie_transfer/'

it.each(['settings diff', 'settings apply', 'settings restore pipe', 'check', 'render nginx', 'serve'])(
  'Ctrl-C ends %s at once, which waits for a pipe that nobody writes',
  async (line) => {
    const { folder, pipe } = makePipe()
    const service = { url: 'https://cobrowse.example.net' }
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ service, apiKey: 'rest-key', points: [url] }),
    )
    const flag = line === 'settings restore pipe' ? [] : ['--config', pipe]
    const program = startProgram([...line.split(' '), ...flag], { cwd: folder })
    // It is in the kernel's list of open files once it waits.
    await until(() => opens(program.child.pid, pipe))
    program.signal('SIGINT')
    expect(await program.ended()).toBe(130)
  },
)

it.each(['check --offline --output html=', 'init --force --output '])('%s a pipe: no wait', async (line) => {
  const program = startProgram([...`${line}${makePipe().pipe}`.split(' '), url])
  expect([await program.ended(), program.stderr()]).toEqual([2, expect.stringContaining('nobody reads it')])
})

it('a config may come from a pipe that is written slowly', async () => {
  const { pipe } = makePipe()
  const program = startProgram(['settings', 'sheet', '--config', pipe])
  await until(() => opens(program.child.pid, pipe))
  execFileSync('sh', ['-c', 'printf %s "$1" >"$0"', pipe, JSON.stringify({ points: [url] })])
  expect([await program.ended(), program.stdout()]).toEqual([0, expect.stringContaining(url)])
})

function makePipe() {
  const folder = openFolderOfTest()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  return { folder, pipe }
}

const opens = async (pid: number | undefined, path: string) => {
  const found = execFileSync('sh', ['-c', 'ls -l /proc/"$0"/fd 2>/dev/null || true', String(pid)])
  return found.includes(` -> ${path}\n`)
}

it.each(['--every 30s', '--watch'])('check %s ends once nobody reads its output', async (line) => {
  const program = startProgram(['check', '--offline', url, ...line.split(' ')])
  program.child.stdout?.destroy()
  expect(await program.ended()).toBe(0)
})
