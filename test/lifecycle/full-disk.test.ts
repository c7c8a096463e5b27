import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MAIN } from '../support/program.ts'
import { askPoint, openServed } from '../support/served.ts'
import { until } from '../support/until.ts'

const REQUESTS = 40

// The limit on the size of files acts as a full disk does: what still fits is written, even half a line.
it('what a full disk does not take is written once there is room', async () => {
  const { child, log, lost, ask, stderr } = await startLogging()
  const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`])
  limit(String(log().length + 500))
  await ask()
  limit('unlimited')
  await ask()
  const kept = () => [...log().matchAll(/"msg":"exchange"/g)].length
  await until(() => kept() === 2 * REQUESTS)
  expect(await lost()).toBe(0)
  const lines = log().trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toHaveLength(lines.length)
  child.kill('SIGTERM')
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(stderr()).toBe('')
  expect(log()).toMatch(/"msg":"stopped"[^\n]*\n$/)
})

/** Starts `serve` with a file as its log. */
async function startLogging() {
  const { folder, file, write } = await openServed()
  const path = join(folder, 'log')
  await write({ admin: { port: 0 }, log: {} })
  const output = openSync(path, 'a')
  const child = spawn(process.execPath, [MAIN, 'serve', '--config', file], {
    stdio: ['ignore', output, 'pipe'],
  })
  closeSync(output)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const log = () => readFileSync(path, 'utf8')
  await until(() => /"listener":"admin"/.test(log()))
  const urlOf = (listener: string) => new RegExp(`"listener":"${listener}","url":"([^"]+)"`).exec(log())?.[1]
  const lost = async () => {
    const text = await (await fetch(`${urlOf('admin')}/metrics`)).text()
    return Number(/^continuation_point_log_lines_lost_total (\d+)$/m.exec(text)?.[1])
  }
  const port = Number(new URL(urlOf('public') ?? '').port)
  const ask = async () => {
    for (let i = 0; i < REQUESTS; i += 1) expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
  }
  return { child, log, lost, ask, stderr: () => stderr }
}
