/*
 * `npm ci` removes node_modules under a running program and puts another version there. So the program must not read
 * anything from disk once it serves: no part of it is there for a while, and then parts of two versions would meet.
 */

import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { listening, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { POINT_HOST, WIDGET_KEY } from '../support/start-proxy.ts'

it('serve answers its first probe and its first request without the packages that it was started with', async () => {
  const service = await startUpstream()
  onTestFinished(() => service.close())
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['dist', 'package.json'])
    await cp(fromTop(name), join(folder, name), { recursive: true })
  await symlink(fromTop('node_modules'), join(folder, 'node_modules'))
  const config = {
    service: { url: service.origin },
    widgetKey: WIDGET_KEY,
    points: [`http://${POINT_HOST}/service_cookie_transfer/`],
    listen: { port: 0 },
    admin: { port: 0 },
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  const program = startProgram(['serve', '--config', join(folder, 'config.json')], {
    script: join(folder, 'dist/main.js'),
  })
  const { port } = await listening(program)
  const admin = await listening(program, 'admin')
  // A connection is accepted later than what follows the start at once.
  const early = await openClient(Number(port))
  onTestFinished(() => early.close())
  early.write('GET / HTTP/1.1\r\nHost: other.example\r\n\r\n')
  expect((await early.response()).startLine).toBe('HTTP/1.1 421 Misdirected Request')

  await rm(join(folder, 'node_modules'))

  expect(await (await fetch(new URL('/livez', admin))).text()).toBe('ok\n')
  const visitor = await openClient(Number(port))
  onTestFinished(() => visitor.close())
  visitor.write(`GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`)
  expect((await visitor.response()).startLine).toBe('HTTP/1.1 200 OK')
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

function fromTop(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url))
}
