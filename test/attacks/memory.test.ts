/*
 * Uploads with large cookies, more than fit into memory, and a service that reads none of them. The program believes that
 * it runs in a container of 256 MiB; Node gives it the heap that it would get there.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { valuesOf } from '../support/wire.ts'
import { MEBIBYTE, startServe } from './serve.ts'
import { numberIn, REFUSED, settled, startStalledService, startUploads } from './stalled-uploads.ts'

const CONTAINER_MEBIBYTES = 256
const UPLOADS = 1_000
const UPLOAD_OCTETS = 256 * 1_024

it(`${UPLOADS} uploads to a service that reads none, with the limit that follows from the memory`, async () => {
  const serve = await startServe(
    await startStalledService(),
    { timeouts: { connect: '1m', drain: '1s' }, limits: { upstreamConnections: 32 } },
    {
      nodeFlags: [
        `--max-old-space-size=${CONTAINER_MEBIBYTES / 2}`,
        '--import',
        fileURLToPath(new URL('constrained-memory.mjs', import.meta.url)),
      ],
      env: { CONSTRAINED_MEMORY: `${CONTAINER_MEBIBYTES * MEBIBYTE}` },
    },
  )
  const clients = await startUploads(serve, UPLOADS, UPLOAD_OCTETS)
  const metrics = await settled(serve)
  expect(numberIn(metrics, `${REFUSED}{reason="overloaded"}`)).toBeGreaterThan(UPLOADS / 4)
  expect(numberIn(metrics, 'continuation_point_waiting_requests')).toBeGreaterThan(0)
  expect(numberIn(metrics, 'continuation_point_oldest_wait_seconds')).toBeGreaterThan(0)
  const refused = await Promise.any(clients.map((client) => client.response()))
  expect(refused.startLine).toBe('HTTP/1.1 503 Service Unavailable')
  expect(valuesOf(refused, 'retry-after')).toEqual(['1'])

  expect(peakBytes(serve.program.child.pid) / MEBIBYTE).toBeLessThan(CONTAINER_MEBIBYTES)
  serve.program.signal('SIGTERM')
  expect(await serve.program.ended()).toBe(1)
  expect(serve.program.stdout()).toMatch(/"memoryFrom":"cgroup",.*"msg":"capacity"/)
})

/** The peak resident memory of a process, from the kernel. */
function peakBytes(pid: number | undefined): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1_024
}
