import { execFileSync } from 'node:child_process'
import { chmod, lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { openPartFile, type PartFile, readInterrupted } from '../../../src/account/history/part-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
let path: string
beforeEach(() => {
  path = folder('out.csv')
})

const identity = { from: 'a', to: 'b' }
const noFile = { message: expect.stringContaining('is not a regular file') }

async function open(of = identity, replace = false): Promise<PartFile> {
  const part = await openPartFile(path, of, { staleMs: 100, replace })
  if ('message' in part) throw new Error(`refused: ${JSON.stringify(part)}`)
  return part
}

/** Leaves an export with one complete slice. */
async function interrupt(): Promise<void> {
  const part = await open()
  await part.append('one\n')
  await part.keep({ slices: 1, sessions: 1 })
  await part.close()
}

/** Writes the rest, and returns the file. */
async function complete(part: PartFile, text: string): Promise<string> {
  await part.append(text)
  await part.finish()
  await part.close()
  return readFile(path, 'utf8')
}

it('becomes the file once it is complete, and not before', async () => {
  await writeFile(path, 'old')
  const part = await open(identity, true)
  await part.append('new\n')
  await part.keep({ slices: 1, sessions: 1 })
  expect(await readFile(path, 'utf8')).toBe('old')
  expect(await complete(part, 'more\n')).toBe('new\nmore\n')
  expect(await readdir(folder())).toEqual(['out.csv'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('continues after what was kept, and drops the rest', async () => {
  const first = await open()
  await first.append('one é\n')
  await first.keep({ slices: 1, sessions: 1 })
  await first.append('half of tw')
  await first.close()
  expect(await readInterrupted(path)).toEqual(identity)
  const second = await open()
  expect(second.before).toMatchObject({ slices: 1, sessions: 1 })
  await second.append('two\n')
  await second.keep({ slices: 2, sessions: 2 })
  await second.close()
  const third = await open()
  expect(third.before).toMatchObject({ slices: 2, sessions: 2 })
  expect(await complete(third, '')).toBe('one é\ntwo\n')
})

it('starts over if nothing was kept', async () => {
  const first = await open()
  await first.append('half')
  await first.close()
  const second = await open()
  expect(second.before.slices).toBe(0)
  expect(await complete(second, 'whole')).toBe('whole')
})

it.each([
  ['is damaged', async () => writeFile(`${path}.part.json`, '{"slices":')],
  ['says something impossible', async () => writeFile(`${path}.part.json`, '{"identity":{},"slices":"1"}')],
  ['lost its part', async () => rm(`${path}.part`)],
  ['lost some of its part', async () => writeFile(`${path}.part`, 'o')],
])('starts over if the state %s', async (_what, damage) => {
  await interrupt()
  await damage()
  const second = await open()
  expect(second.before.slices).toBe(0)
  expect(await complete(second, 'all')).toBe('all')
})

it('takes over from a run that was killed', async () => {
  await writeFile(`${path}.part.lock`, 'killed')
  await complete(await open(), '')
  expect(await readdir(folder())).toEqual(['out.csv'])
})

it('refuses a file that exists, also if an interrupted export would replace it', async () => {
  await interrupt()
  await writeFile(path, 'old')
  expect(await openPartFile(path, identity)).toMatchObject({
    message: expect.stringContaining('exists already'),
  })
  expect(await readFile(path, 'utf8')).toBe('old')
  const again = await open(identity, true)
  expect(again.before).toMatchObject({ slices: 1, sessions: 1 })
  await again.close()
})

it('leaves everything alone that is not a file: a pipe, a device, a link', async () => {
  execFileSync('mkfifo', [path])
  expect(await openPartFile(path, identity)).toMatchObject(noFile)
  expect((await stat(path)).isFIFO()).toBe(true)
  await rm(path)
  await symlink('/dev/null', path)
  expect(await openPartFile(path, identity)).toMatchObject(noFile)
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
  expect(await readdir(folder())).toEqual(['out.csv'])
})

it.each(['out.csv.part', 'out.csv.part.json.new'])(
  'replaces a link at %s, and what others could read',
  async (name) => {
    const target = folder('target')
    await writeFile(target, 'untouched')
    for (const prepare of [
      () => symlink(target, folder(name)),
      () => writeFile(folder(name), 'old', { mode: 0o644 }),
    ]) {
      await prepare()
      const part = await open(identity, true)
      await part.append('new\n')
      await part.keep({ slices: 1, sessions: 1 })
      expect((await lstat(`${path}.part.json`)).mode & 0o777).toBe(0o600)
      expect([await complete(part, ''), await readFile(target, 'utf8')]).toEqual(['new\n', 'untouched'])
      expect((await lstat(path)).mode & 0o777).toBe(0o600)
    }
  },
)

it('continues in a file that others can’t read any more', async () => {
  await interrupt()
  await chmod(`${path}.part`, 0o644)
  const second = await open()
  expect((await stat(`${path}.part`)).mode & 0o777).toBe(0o600)
  await second.close()
})
