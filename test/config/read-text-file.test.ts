import { appendFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FileTooLarge } from '../../src/config/file-fault.ts'
import { readTextFile } from '../../src/config/read-text-file.ts'
import { openFolder } from '../support/folder.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }))

const folder = openFolder()
let file: string

beforeEach(async () => {
  file = join(folder, 'widget_key')
  await writeFile(file, 'the-first-half')
  // However busy the machine is, the file has just changed.
  vi.useFakeTimers({ toFake: ['Date'], now: (await stat(file)).mtimeMs })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.mocked(wait).mockReset()
})

async function write(text: string): Promise<void> {
  await appendFile(file, text)
  vi.setSystemTime((await stat(file)).mtimeMs)
}

it('waits for the rest of a file that is being written', async () => {
  vi.mocked(wait).mockImplementationOnce(() => write('-and-the-second'))
  expect(await readTextFile(file)).toBe('the-first-half-and-the-second')
})

it('does not wait for ever', async () => {
  vi.mocked(wait).mockImplementation(() => write('+'))
  expect(await readTextFile(file)).toBe('the-first-half++++++++++')
})

it.each([
  ['an hour ago', -3600],
  ['by a clock that is ahead', 3600],
])('does not wait for a file that changed %s', async (_when, seconds) => {
  const changed = new Date(Date.now() + seconds * 1000)
  await utimes(file, changed, changed)
  expect(await readTextFile(file)).toBe('the-first-half')
  expect(wait).not.toHaveBeenCalled()
})

it.runIf(process.platform === 'linux')('does not wait for what the kernel makes up', async () => {
  expect(await readTextFile('/proc/self/limits')).toContain('Max open files')
  await expect(readTextFile('/proc/self/limits', 100)).rejects.toThrow(FileTooLarge)
  expect(wait).not.toHaveBeenCalled()
})
