import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { request, startBoth } from '../attacks/serve.ts'

it('the metrics show what the process uses, and no counter decreases', async () => {
  const { serve } = await startBoth()
  const client = await serve.ask(request('GET', 'first'))
  await client.response()
  const before = numbersIn(await serve.admin('/metrics'))
  expect(before.process_resident_memory_bytes).toBeGreaterThan(20 * 1_048_576)
  expect(before.v8js_memory_heap_used_bytes).toBeGreaterThan(1_048_576)
  expect(before.process_max_fds).toBe(softFileLimit())
  const files = before.process_open_fds ?? 0
  expect(files).toBeGreaterThan(10)
  const more = await Promise.all(Array.from({ length: 40 }, () => serve.client()))
  while ((numbersIn(await serve.admin('/metrics')).process_open_fds ?? 0) < files + more.length - 5);
  expect(before.process_cpu_seconds_total).toBeGreaterThan(0)
  expect(before['nodejs_eventloop_time_seconds_total{nodejs_eventloop_state="active"}']).toBeGreaterThan(0)
  expect(before.nodejs_eventloop_delay_max_seconds).toBeGreaterThanOrEqual(0)

  // A requested collection is counted, once the loop has turned.
  await serve.heapBytes()
  const count = 'v8js_gc_duration_seconds_count{v8js_gc_type="major"}'
  let after = before
  while (!((after[count] ?? 0) > (before[count] ?? 0))) after = numbersIn(await serve.admin('/metrics'))
  for (const name of Object.keys(before).filter((each) => /_(?:total|count|sum)\b/.test(each))) {
    expect(after[name], name).toBeGreaterThanOrEqual(before[name] ?? 0)
  }
})

/** What a program may have open that this process starts. */
function softFileLimit(): number {
  return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
}

function numbersIn(metrics: string): Record<string, number> {
  return Object.fromEntries(
    [...metrics.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  )
}
