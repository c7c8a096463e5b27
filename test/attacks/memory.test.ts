/*
 * Uploads with large cookies, more than fit into memory, and a service that reads none of them. The program believes that
 * it runs in a container of 256 MiB; Node gives it the heap that it would get there.
 *
 * Contract, section 3: "more than `concurrentRequests` in flight | 503 with Retry-After"; "Admin listener: `/livez`
 * (process)"; "SIGTERM: … finish what is in flight within `timeouts.drain`, … exit 1 if something had to be cut".
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

it.each([
  [
    'the limit that follows from the memory',
    { limits: { upstreamConnections: 32 } },
    'overloaded',
    /"memoryFrom":"cgroup",.*"msg":"capacity"/,
  ],
  [
    'a limit that is too high for it',
    { limits: { upstreamConnections: 32, concurrentRequests: 100_000 } },
    'memory-short',
    /limits\.concurrentRequests is more than the memory holds in the worst case/,
  ],
])(`${UPLOADS} uploads to a service that reads none, with %s`, async (_what, changes, refusal, logged) => {
  const serve = await startServe(
    await startStalledService(),
    { timeouts: { drain: '1s' }, ...changes },
    {
      nodeFlags: [
        `--max-old-space-size=${CONTAINER_MEBIBYTES / 2}`,
        '--import',
        fileURLToPath(new URL('cgroup.mjs', import.meta.url)),
      ],
      env: {
        CGROUP_FILES: JSON.stringify({
          '/proc/self/cgroup': '0::/\n',
          '/sys/fs/cgroup/memory.max': `${CONTAINER_MEBIBYTES * MEBIBYTE}\n`,
        }),
      },
    },
  )
  const clients = await startUploads(serve, UPLOADS, UPLOAD_OCTETS)
  const metrics = await settled(serve)
  expect(numberIn(metrics, `${REFUSED}{reason="${refusal}"}`)).toBeGreaterThan(UPLOADS / 4)
  expect(numberIn(metrics, 'continuation_point_waiting_requests')).toBeGreaterThan(0)
  expect(numberIn(metrics, 'continuation_point_oldest_wait_seconds')).toBeGreaterThan(0)
  const refused = await Promise.any(clients.map((client) => client.response()))
  expect(refused.startLine).toBe('HTTP/1.1 503 Service Unavailable')
  expect(valuesOf(refused, 'retry-after')).toEqual(['1'])

  expect(peakBytes(serve.program.child.pid) / MEBIBYTE).toBeLessThan(CONTAINER_MEBIBYTES)
  serve.program.signal('SIGTERM')
  expect(await serve.program.ended()).toBe(1)
  expect(serve.program.stdout()).toMatch(logged)
})

/** The peak resident memory of a process, from the kernel. */
function peakBytes(pid: number | undefined): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1_024
}
