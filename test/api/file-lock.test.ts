import { readdir, rename, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { takeFileLock } from '../../src/api/file-lock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
const path = () => folder('a.lock')

it('lets one in at a time, and all in the end', async () => {
  let inside = 0
  let most = 0
  const enter = async () => {
    const lock = await takeFileLock(path(), 'wait')
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
    await lock.release()
  }
  await Promise.all(Array.from({ length: 12 }, enter))
  expect(most).toBe(1)
  expect(await readdir(folder())).toEqual([])
})

it('is refused while its holder lives, and free once it is released', async () => {
  const lock = await takeFileLock(path(), 'wait', { beatMs: 10 })
  expect(await takeFileLock(path(), 'refuse')).toBe('held')
  await lock.release()
  const next = await takeFileLock(path(), 'refuse')
  if (next === 'held') throw new Error('the lock was released, and still counts as held')
  await next.release()
})

it('is taken over from a holder that died, by one process only', async () => {
  await writeFile(path(), 'dead')
  const takers = Array.from({ length: 8 }, () => takeFileLock(path(), 'refuse', { beatMs: 10, staleMs: 200 }))
  const taken = (await Promise.all(takers)).filter((each) => each !== 'held')
  expect(taken).toHaveLength(1)
  await Promise.all(taken.map((each) => each.release()))
  expect(await readdir(folder())).toEqual([])
})

it('is gone after its release, even if a waiter had just moved it away to look at it', async () => {
  const lock = await takeFileLock(path(), 'wait')
  await rename(path(), folder('aside'))
  const released = lock.release()
  setTimeout(() => void rename(folder('aside'), path()), 50)
  await released
  expect(await readdir(folder())).toEqual([])
})

it('says when its folder is not there', async () => {
  await expect(takeFileLock(folder('none', 'a.lock'), 'wait')).rejects.toMatchObject({ code: 'ENOENT' })
})
