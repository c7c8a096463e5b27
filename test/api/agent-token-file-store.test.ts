import { readdir, utimes } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AgentTokenStore, fileTokenStore } from '../../src/api/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
let store: AgentTokenStore
beforeEach(() => {
  store = fileTokenStore(folder())
})
afterEach(() => void vi.useRealTimers())

/** As if the value had been stored that much earlier, by the clock of the disk. */
async function age(seconds: number): Promise<void> {
  const [name = ''] = await readdir(folder())
  const then = new Date(Date.now() - seconds * 1000)
  await utimes(folder(name), then, then)
}

describe('a value of 60 s', () => {
  it.each([
    ['is returned at once', 0, 'value'],
    ['is returned after 50 s', 50, 'value'],
    ['is no longer returned after 61 s', 61, undefined],
    ['is no longer returned if the disk’s clock was set back since', -30, undefined],
  ])('%s', async (_what, seconds, given) => {
    await store.set('key', 'value', 60_000)
    if (seconds !== 0) await age(seconds)
    expect(await store.get('key')).toBe(given)
  })

  it.each([-1, 1])(
    'expires by the clock of the disk on a machine whose own is off by %i h',
    async (hours) => {
      await store.set('key', 'value', 60_000)
      const [offMs, clock] = [hours * 3_600_000, Date.now()]
      vi.useFakeTimers({ toFake: ['Date'], now: clock + offMs })
      expect(await fileTokenStore(folder()).get('key')).toBe('value')
      vi.useRealTimers()
      await age(61)
      vi.useFakeTimers({ toFake: ['Date'], now: clock + offMs })
      expect(await fileTokenStore(folder()).get('key')).toBeUndefined()
    },
  )
})

it('leaves one file for a value that is read and kept again, and none for one that is deleted', async () => {
  for (const value of ['one', 'two']) {
    await store.exclusive('key', () => store.set('key', value, 60_000))
    expect(await store.get('key')).toBe(value)
  }
  expect(await readdir(folder())).toHaveLength(1)
  await store.delete('key')
  expect([await store.get('key'), await readdir(folder())]).toEqual([undefined, []])
})
