import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPartFile, type PartFile, readInterrupted } from '../../../src/account/history/part-file.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'part-file-'))
  path = join(folder, 'out.csv')
})
afterEach(() => rm(folder, { recursive: true }))

const identity = { from: 'a', to: 'b' }

async function open(of = identity, replace = false): Promise<PartFile> {
  const part = await openPartFile(path, of, { staleMs: 100, replace })
  if (typeof part === 'string' || 'other' in part) throw new Error(`refused: ${JSON.stringify(part)}`)
  return part
}

it('becomes the file once it is complete, and not before', async () => {
  await writeFile(path, 'old')
  const part = await open(identity, true)
  await part.append('new\n')
  await part.keep({ slices: 1, sessions: 1 })
  expect(await readFile(path, 'utf8')).toBe('old')
  await part.finish()
  await part.close()
  expect(await readFile(path, 'utf8')).toBe('new\n')
  expect(await readdir(folder)).toEqual(['out.csv'])
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
  await third.finish()
  await third.close()
  expect(await readFile(path, 'utf8')).toBe('one é\ntwo\n')
})

it('starts over if nothing was kept', async () => {
  const first = await open()
  await first.append('half')
  await first.close()
  const second = await open()
  expect(second.before.slices).toBe(0)
  await second.append('whole')
  await second.finish()
  await second.close()
  expect(await readFile(path, 'utf8')).toBe('whole')
})

it.each([
  ['is damaged', async () => writeFile(`${path}.part.json`, '{"slices":')],
  ['says something impossible', async () => writeFile(`${path}.part.json`, '{"identity":{},"slices":"1"}')],
  ['lost its part', async () => rm(`${path}.part`)],
  ['lost some of its part', async () => writeFile(`${path}.part`, 'o')],
])('starts over if the state %s', async (_what, damage) => {
  const first = await open()
  await first.append('one\n')
  await first.keep({ slices: 1, sessions: 1 })
  await first.close()
  await damage()
  const second = await open()
  expect(second.before.slices).toBe(0)
  await second.append('all')
  await second.finish()
  await second.close()
  expect(await readFile(path, 'utf8')).toBe('all')
})

it('refuses a second one while the first is open, which then completes', async () => {
  const first = await open()
  await first.append('first')
  expect(await openPartFile(path, identity)).toBe('held')
  await first.finish()
  await first.close()
  expect(await readFile(path, 'utf8')).toBe('first')
})

it('refuses to continue a different export', async () => {
  const first = await open()
  await first.append('one')
  await first.keep({ slices: 1, sessions: 1 })
  await first.close()
  expect(await openPartFile(path, { ...identity, to: 'c' })).toEqual({ other: identity })
  const again = await open()
  expect(again.before.slices).toBe(1)
  await again.close()
})

it('takes over from a run that was killed', async () => {
  await writeFile(`${path}.part.lock`, 'killed')
  const part = await open()
  await part.finish()
  await part.close()
  expect(await readdir(folder)).toEqual(['out.csv'])
})

it('refuses a file that exists, also if an interrupted export would replace it', async () => {
  const part = await open()
  await part.append('one\n')
  await part.keep({ slices: 1, sessions: 1 })
  await part.close()
  await writeFile(path, 'old')
  expect(await openPartFile(path, identity)).toBe('exists')
  expect(await readFile(path, 'utf8')).toBe('old')
  const again = await open(identity, true)
  expect(again.before).toMatchObject({ slices: 1, sessions: 1 })
  await again.close()
})

it('refuses a directory, and says if the folder is missing', async () => {
  await mkdir(path)
  expect(await openPartFile(path, identity)).toBe('directory')
  await expect(openPartFile(join(folder, 'none', 'out'), identity)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('leaves everything alone that is not a file: a pipe, a device, a link', async () => {
  execFileSync('mkfifo', [path])
  expect(await openPartFile(path, identity)).toBe('no-file')
  expect((await stat(path)).isFIFO()).toBe(true)
  await rm(path)
  await symlink('/dev/null', path)
  expect(await openPartFile(path, identity)).toBe('no-file')
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
  expect(await readdir(folder)).toEqual(['out.csv'])
})

it.each(['out.csv.part', 'out.csv.part.json.new'])(
  'replaces a link at %s, and what others could read',
  async (name) => {
    const target = join(folder, 'target')
    await writeFile(target, 'untouched')
    for (const prepare of [
      () => symlink(target, join(folder, name)),
      () => writeFile(join(folder, name), 'old', { mode: 0o644 }),
    ]) {
      await prepare()
      const part = await open(identity, true)
      await part.append('new\n')
      await part.keep({ slices: 1, sessions: 1 })
      expect((await lstat(`${path}.part.json`)).mode & 0o777).toBe(0o600)
      await part.finish()
      await part.close()
      expect([await readFile(path, 'utf8'), await readFile(target, 'utf8')]).toEqual(['new\n', 'untouched'])
      expect((await lstat(path)).mode & 0o777).toBe(0o600)
    }
  },
)

it('continues only in a file, which others can’t read any more', async () => {
  const first = await open()
  await first.append('one\n')
  await first.keep({ slices: 1, sessions: 1 })
  await first.close()
  await chmod(`${path}.part`, 0o644)
  const second = await open()
  expect((await stat(`${path}.part`)).mode & 0o777).toBe(0o600)
  await second.close()
  await rename(`${path}.part`, join(folder, 'target'))
  await symlink(join(folder, 'target'), `${path}.part`)
  await expect(openPartFile(path, identity)).rejects.toThrow('out.csv.part is a link: delete it')
})
