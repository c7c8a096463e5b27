import { expect, it } from 'vitest'
import { askOnce } from '../support/raw-client.ts'
import { openServed } from '../support/served.ts'

/**
 * What survives minor collections is copied, promoted, and found dead only by a major one. One connection with all that
 * belongs to it takes some 7 KiB; most of what survives here is due to connections that happen to be open.
 */
it('leaves nothing of closed connections to the major garbage collection', { timeout: 60_000 }, async () => {
  const { start } = await openServed()
  const { program, port } = await start({}, { nodeFlags: ['--trace-gc-nvp', '--max-semi-space-size=1'] })

  await openAndClose(port, 200)
  const before = minorCollections(program.stdout())
  await openAndClose(port, 500)
  const { count, promotedBytes } = minorCollections(program.stdout())
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)

  expect(count - before.count).toBeGreaterThan(2)
  expect((promotedBytes - before.promotedBytes) / 500).toBeLessThan(3_000)
})

/** Ten clients at a time, each with one request on a connection of its own. */
async function openAndClose(port: number, count: number): Promise<void> {
  let left = count
  const client = async () => {
    while (left > 0) {
      left -= 1
      expect((await askOnce(port, OCTETS)).startLine).toBe('HTTP/1.1 200 OK')
    }
  }
  await Promise.all(Array.from({ length: 10 }, client))
}

const OCTETS =
  'GET /service_cookie_transfer/init HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n'

/** From V8's trace, whose lines are of JSON since Node 26. */
function minorCollections(output: string): { readonly count: number; readonly promotedBytes: number } {
  const promoted = [...output.matchAll(/\bgc"?[=:]"?s\b.*\bpromoted"?[=:](\d+)/g)].map(([, bytes]) =>
    Number(bytes),
  )
  return { count: promoted.length, promotedBytes: promoted.reduce((sum, each) => sum + each, 0) }
}
