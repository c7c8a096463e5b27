import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findHandedSocket } from '../../src/serve/serve.ts'
import { listening, MAIN } from '../support/program.ts'
import { openServed } from '../support/served.ts'

const holder = fileURLToPath(new URL('../support/socket-holder.py', import.meta.url))
const RESTARTS = 2

it(`${RESTARTS} restarts on a socket that another process holds fail no request`, {
  timeout: 120_000,
}, async () => {
  const { file, write } = await openServed()
  await write({})
  const printed = await new Promise<string>((resolve, reject) => {
    const words = [holder, `${RESTARTS}`, process.execPath, MAIN, 'serve', '--config', file]
    execFile('python3', words, { timeout: 110_000 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    )
  })
  const { outcomes, codes } = JSON.parse(printed)
  expect(Object.keys(outcomes)).toEqual(['HTTP/1.1 200 OK'])
  expect(outcomes['HTTP/1.1 200 OK']).toBeGreaterThan(RESTARTS * 50)
  expect(codes).toEqual(Array(RESTARTS + 1).fill(0))
})

it('a socket that was passed to another process is left alone', async () => {
  const { start } = await openServed()
  const { program } = await start({}, { env: { LISTEN_FDS: '1', LISTEN_PID: '1' } })
  expect((await listening(program)).hostname).toBe('127.0.0.1')
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it.each([
  [{}, undefined],
  [{ LISTEN_FDS: '1', LISTEN_PID: '7' }, 3],
  [{ LISTEN_FDS: '2', LISTEN_PID: '7' }, 3],
  [{ LISTEN_FDS: '0', LISTEN_PID: '7' }, undefined],
  [{ LISTEN_FDS: '1', LISTEN_PID: '8' }, undefined],
  [{ LISTEN_FDS: 'one', LISTEN_PID: '7' }, undefined],
  [{ LISTEN_FDS: '1' }, undefined],
])('%o pass descriptor %s to process 7', (env, descriptor) => {
  expect(findHandedSocket(env, 7)).toBe(descriptor)
})
