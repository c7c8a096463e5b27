/*
 * `npm ci` removes node_modules under a running program and puts another version there. So the program must not read
 * anything from disk once it serves: no part of it is there for a while, and then parts of two versions would meet.
 */

import { cp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { top } from '../project/source-tree.ts'
import { openClient } from '../support/raw-client.ts'
import { askAdmin, askPoint, openServed } from '../support/served.ts'

it('serve answers its first probe and its first request without the packages that it was started with', async () => {
  const { folder, start } = await openServed()
  for (const name of ['dist', 'package.json'])
    await cp(join(top, name), join(folder, name), { recursive: true })
  await symlink(join(top, 'node_modules'), join(folder, 'node_modules'))
  const { program, port } = await start({ admin: { port: 0 } }, { script: join(folder, 'dist/main.js') })
  // A connection is accepted later than what follows the start at once.
  const early = await openClient(port)
  early.write('GET / HTTP/1.1\r\nHost: other.example\r\n\r\n')
  expect((await early.response()).startLine).toBe('HTTP/1.1 421 Misdirected Request')
  early.close()

  await rm(join(folder, 'node_modules'))

  expect(await askAdmin(program, '/livez')).toBe('ok\n')
  expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})
