/*
 * "Its own small limit of connections." Connections to the admin listener take files too: with none left, visitors were cut off.
 */

import { expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import { OK, request, startBoth } from './serve.ts'

const FILE_LIMIT = 256
const CONNECTIONS = 260

it('connections to the admin listener cost no visitor', async () => {
  const { serve } = await startBoth(undefined, {}, { fileLimit: FILE_LIMIT })
  const [, admin = ''] = await serve.program.printed(/"listener":"admin","url":"[^"]+:(\d+)"/)
  await Promise.all(Array.from({ length: CONNECTIONS }, () => openForTest(openClient(Number(admin)))))
  // Each takes a file at both ends of the proxy.
  const visitors = await Promise.all(Array.from({ length: 40 }, () => serve.ask(request('GET', 'visitor'))))
  for (const visitor of visitors) expect((await visitor.response()).startLine).toBe(OK)
  expect(await serve.admin('/livez')).toBe('ok\n')
  const metrics = await serve.admin('/metrics')
  expect(metrics).toContain('continuation_point_build_info')
  expect(metrics).toContain(`process_max_fds ${FILE_LIMIT}\n`)
  expect(Number(/^process_open_fds (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(visitors.length)
  const warning = /"level":"warn"[^\n]*"connections":16[^\n]*admin listener/g
  await serve.program.printed(new RegExp(warning.source))
  expect(serve.program.stdout().match(warning)).toHaveLength(1)
  expect(serve.program.stderr()).toBe('')
})
