import { expect, it } from 'vitest'
import { freshPin } from '../../../src/sandbox/state/fresh.ts'

it.each(['0000', '4711', '9999'])('a PIN is one that is free, even if that is only %s', (free) => {
  expect(freshPin((pin) => pin !== free)).toBe(free)
})
