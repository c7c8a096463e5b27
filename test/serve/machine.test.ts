import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { readMachine } from '../../src/serve/machine.ts'

const MEBIBYTE = 1_048_576
const WHOLE = getHeapStatistics().heap_size_limit

it.each<[string, Record<string, string>, string[], number]>([
  ['no flag', {}, [], WHOLE],
  ['a flag of Node', {}, ['--max-old-space-size=24'], 24 * MEBIBYTE],
  ['the other spelling', {}, ['--max_old_space_size=24'], 24 * MEBIBYTE],
  ['the environment', { NODE_OPTIONS: '--trace-gc  --max-old-space-size=24' }, [], 24 * MEBIBYTE],
  ['quotes', { NODE_OPTIONS: '"--max-old-space-size=24"' }, [], 24 * MEBIBYTE],
  [
    'both: the flag counts',
    { NODE_OPTIONS: '--max-old-space-size=16' },
    ['--max-old-space-size=24'],
    24 * MEBIBYTE,
  ],
  ['twice: the last counts', {}, ['--max-old-space-size=16', '--max-old-space-size=24'], 24 * MEBIBYTE],
  ['0, which sets no limit', {}, ['--max-old-space-size=0'], WHOLE],
  ['more than V8 grants', {}, ['--max-old-space-size=99999999'], WHOLE],
])('the heap, by %s', (_what, env, nodeFlags, expected) => {
  const machine = readMachine({ env, nodeFlags })
  expect(machine.heapBytes).toBe(expected)
})
