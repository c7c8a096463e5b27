import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { openNotifySocket } from '../support/notify-socket.ts'
import { listening, type ProgramOptions, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'

const REQUEST = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
const ABSENT = /"level":"warn".*"msg":"systemd-notify can’t be run/g

async function start(env: Record<string, string>, options: ProgramOptions = {}) {
  const upstream = await startUpstream(answerOk)
  const program = startProgram(['serve', '--port', '0', '--admin-port', '0'], {
    ...options,
    env: {
      CONTINUATION_SERVICE_URL: upstream.origin,
      CONTINUATION_WIDGET_KEY: 'test-widget-key',
      CONTINUATION_POINTS: 'http://www.example.com/service_cookie_transfer/',
      ...env,
    },
  })
  onTestFinished(async () => {
    program.signal('SIGKILL')
    await upstream.close()
  })
  return { program, port: Number((await listening(program)).port) }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe.runIf(isInstalled('systemd-notify') && isInstalled('python3'))('systemd', () => {
  it.each(['in a folder', 'abstract'])('is told by serve how it is: socket %s', async (kind) => {
    const path = join(await newFolder(), 'notify')
    const NOTIFY_SOCKET = kind === 'abstract' ? `@${path}` : path
    const { told, close } = await openNotifySocket(NOTIFY_SOCKET)
    onTestFinished(close)
    const { program } = await start({ NOTIFY_SOCKET, WATCHDOG_USEC: '200000' })
    await until(() => told().filter((notice) => notice === 'WATCHDOG=1').length >= 3)
    expect(told()[0]).toBe('READY=1')
    expect(told().filter((notice) => notice === 'READY=1')).toHaveLength(1)
    program.signal('SIGTERM')
    expect([await program.ended(), program.stderr()]).toEqual([0, ''])
    await until(() => told().includes('STOPPING=1'))
    expect(program.stdout()).not.toMatch(ABSENT)
  })

  it('is told while no file can be opened', async () => {
    const NOTIFY_SOCKET = join(await newFolder(), 'notify')
    const { told, close } = await openNotifySocket(NOTIFY_SOCKET)
    onTestFinished(close)
    const { port, program } = await start({ NOTIFY_SOCKET, WATCHDOG_USEC: '200000' }, { fileLimit: 64 })
    const clients = await Promise.all(
      Array.from({ length: 100 }, () => openClient(port).catch(() => undefined)),
    )
    for (const client of clients) client?.write(REQUEST)
    await program.printed(/"msg":"client connections are closed/)
    const before = told().length
    await until(() => told().length >= before + 5)
    for (const client of clients) client?.close()
  })
})

it.each(['systemd-notify', 'a shell'])('without %s serve says so once, and serves', async (absent) => {
  const folder = await newFolder()
  if (absent !== 'a shell') await symlink('/bin/sh', join(folder, 'sh'))
  const { program, port } = await start({
    PATH: folder,
    NOTIFY_SOCKET: join(folder, 'notify'),
    WATCHDOG_USEC: '200000',
  })
  await program.printed(ABSENT)
  const client = await openClient(port)
  client.write(REQUEST)
  expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
  client.close()
  program.signal('SIGTERM')
  expect([await program.ended(), program.stderr()]).toEqual([0, ''])
  expect(program.stdout().match(ABSENT)).toHaveLength(1)
})
