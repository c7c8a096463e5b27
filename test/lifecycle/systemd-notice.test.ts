import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { openNotifySocket } from '../support/notify-socket.ts'
import { openClient } from '../support/raw-client.ts'
import { askPoint, openServed, pointRequest } from '../support/served.ts'
import { until } from '../support/until.ts'

const ABSENT = /"level":"warn".*"msg":"systemd-notify can’t be run/g
const WATCHDOG_USEC = '200000'

/** Starts `serve` with a socket in place of systemd's; an abstract one has no file. */
async function startNotifying(kind: 'in a folder' | 'abstract', fileLimit?: number) {
  const { folder, start } = await openServed()
  const NOTIFY_SOCKET = `${kind === 'abstract' ? '@' : ''}${join(folder, 'notify')}`
  const { told, close } = await openNotifySocket(NOTIFY_SOCKET)
  onTestFinished(close)
  return { told, ...(await start({}, { env: { NOTIFY_SOCKET, WATCHDOG_USEC }, fileLimit })) }
}

describe.runIf(isInstalled('systemd-notify') && isInstalled('python3'))('systemd', () => {
  it.each(['in a folder', 'abstract'] as const)('is told by serve how it is: socket %s', async (kind) => {
    const { told, program } = await startNotifying(kind)
    await until(() => told().filter((notice) => notice === 'WATCHDOG=1').length >= 3)
    expect(told()[0]).toBe('READY=1')
    expect(told().filter((notice) => notice === 'READY=1')).toHaveLength(1)
    program.signal('SIGTERM')
    expect([await program.ended(), program.stderr()]).toEqual([0, ''])
    await until(() => told().includes('STOPPING=1'))
    expect(program.stdout()).not.toMatch(ABSENT)
  })

  it('is told again after the shell that starts systemd-notify was killed', async () => {
    const { told, program } = await startNotifying('in a folder')
    await until(() => told().includes('WATCHDOG=1'))
    const { pid } = program.child
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), 'SIGKILL')
    const before = told().length
    await until(() => told().length >= before + 3)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    await until(() => told().includes('STOPPING=1'))
    expect(program.stdout()).not.toMatch(ABSENT)
  })

  it('is told while no file can be opened', async () => {
    const { told, port, program } = await startNotifying('in a folder', 64)
    const clients = await Promise.all(
      Array.from({ length: 100 }, () => openClient(port).catch(() => undefined)),
    )
    for (const client of clients) client?.write(pointRequest())
    await program.printed(/"msg":"client connections are closed/)
    const before = told().length
    await until(() => told().length >= before + 5)
    for (const client of clients) client?.close()
  })
})

it.each(['systemd-notify', 'a shell'])('without %s serve says so once, and serves', async (absent) => {
  const { folder, start } = await openServed()
  if (absent !== 'a shell') await symlink('/bin/sh', join(folder, 'sh'))
  const env = { PATH: folder, NOTIFY_SOCKET: join(folder, 'notify'), WATCHDOG_USEC }
  const { program, port } = await start({}, { env })
  await program.printed(ABSENT)
  expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
  program.signal('SIGTERM')
  expect([await program.ended(), program.stderr()]).toEqual([0, ''])
  expect(program.stdout().match(ABSENT)).toHaveLength(1)
})
