import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openFolder } from '../support/folder.ts'
import { listen } from '../support/listen.ts'
import { listening, startProgram } from '../support/program.ts'
import { serveConfig } from '../support/serve-config.ts'

const MEBIBYTE = 1_048_576
const folder = openFolder()
const { port, close } = await listen(
  createServer(async (incoming, outgoing) => {
    for await (const _ of incoming);
    outgoing.end(Buffer.alloc(incoming.url?.endsWith('/download') ? 20 * MEBIBYTE : 1))
  }),
)
afterAll(close)

// After a burst of large bodies up to 64 MiB of pieces that had been written stayed in memory (V8 of Node 26).
it.each<[string, string, Buffer | undefined, number]>([
  ['an upload of 20 MiB', 'upload', Buffer.alloc(20 * MEBIBYTE), 2],
  ['a download of 20 MiB', 'download', undefined, 2],
  ['a small exchange', 'small', Buffer.from('a'), 0],
])('serve frees the memory of bodies as it goes: %s', async (_what, path, body, times) => {
  const file = join(folder, `${path}.json`)
  await writeFile(file, serveConfig(`http://127.0.0.1:${port}`))
  const program = startProgram(['serve', '--config', file], { nodeFlags: ['--trace-gc'] })
  const url = new URL(`/service_cookie_transfer/${path}`, await listening(program))
  const outgoing = request(url, { agent: false, method: 'POST', headers: { Host: 'www.example.com' } })
  outgoing.end(body)
  const [answer] = await once(outgoing, 'response')
  expect(answer.statusCode).toBe(200)
  for await (const _ of answer);
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
  // V8's word for the reason of a collection that was asked for; one that comes while it marks ends the marking.
  const asked = program.stdout().match(/ms: (?:Scavenge|.*Mark-Compact).* testing/g) ?? []
  expect(asked, program.stdout()).toHaveLength(times)
})
