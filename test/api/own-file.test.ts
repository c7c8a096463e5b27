import { execFileSync } from 'node:child_process'
import { chmod, chown, link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPartFile } from '../../src/account/history/part-file.ts'
import { fileTokenStore } from '../../src/api/agent-token-file-store.ts'
import { guard } from '../../src/api/agent-token-store.ts'
import { takeFileLock } from '../../src/api/file-lock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OTHER_USER = 12_345
const isRoot = process.geteuid?.() === 0

const parent = temporaryFolder()
let folder: string
beforeEach(async () => {
  folder = parent('tokens')
  await mkdir(folder, { mode: 0o700 })
})

describe('the folder of the agent tokens', () => {
  const cases = [
    ['open to all', () => chmod(folder, 0o777), 'is open to other users: make it yours with mode 700'],
    [
      'readable by its group',
      () => chmod(folder, 0o750),
      'is open to other users: make it yours with mode 700',
    ],
    [
      'of another user',
      () => chown(folder, OTHER_USER, OTHER_USER),
      'belongs to another user: make it yours',
    ],
  ] as const

  it.each(cases.filter(([what]) => isRoot || what !== 'of another user'))(
    '%s is refused, with the next step',
    async (_what, change, reason) => {
      const store = guard(fileTokenStore(folder))
      await store.set('key', 'hushed', 60_000)
      await change()
      for (const work of [
        () => store.get('key'),
        () => store.set('key', 'hushed', 60_000),
        () => store.exclusive('key', async () => 'work'),
      ]) {
        await expect(work()).rejects.toMatchObject({
          kind: 'unsafe-store',
          message: expect.stringMatching(`${folder} ${reason}`),
        })
      }
      expect(await readdir(folder)).toHaveLength(1)
    },
  )

  it('is used if it has more bits that concern only this user', async () => {
    await chmod(folder, 0o2700)
    const store = guard(fileTokenStore(folder))
    await store.set('key', 'value', 60_000)
    expect(await store.get('key')).toBe('value')
  })
})

describe('what was planted in place of a token', () => {
  const token = JSON.stringify({ value: 'planted', lifetimeMs: 60_000 })
  const cases: readonly [string, (path: string) => unknown, string][] = [
    [
      'a link',
      async (path) => {
        await writeFile(parent('planted'), token)
        await symlink(parent('planted'), path)
      },
      'is a link: delete it',
    ],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is not a regular file: delete it'],
    ['a folder', (path) => mkdir(path), 'is not a regular file: delete it'],
    [
      'a file that others can change',
      async (path) => {
        await writeFile(path, token)
        await chmod(path, 0o666)
      },
      'is open to other users: delete it',
    ],
    [
      'a file of another user',
      async (path) => {
        await writeFile(path, token)
        await chown(path, OTHER_USER, OTHER_USER)
      },
      'belongs to another user: delete it',
    ],
  ]

  it.each(cases.filter(([what]) => isRoot || what !== 'a file of another user'))(
    '%s is not read, and named',
    async (_what, plant, reason) => {
      const store = guard(fileTokenStore(folder))
      await store.set('key', 'value', 60_000)
      const path = join(folder, (await readdir(folder))[0] ?? '')
      await rm(path)
      await plant(path)
      await expect(store.get('key')).rejects.toMatchObject({
        kind: 'unsafe-store',
        message: expect.stringContaining(`${path} ${reason}`),
      })
    },
  )
})

describe.each(['wait', 'refuse'] as const)('a lock that is not a file (%s)', (whenHeld) => {
  it.each([
    ['a link to nothing', (path: string) => symlink(parent('nothing'), path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('%s: refused at once', async (_what, plant) => {
    const path = join(folder, 'a.lock')
    await plant(path)
    const taken = whenHeld === 'wait' ? takeFileLock(path, 'wait') : takeFileLock(path, 'refuse')
    await expect(taken).rejects.toThrow(/is a link: delete it|is not a regular file: delete it/)
  })
})

describe('what was planted in place of an interrupted export', () => {
  const identity = { from: 'a' }

  it.each(['out.part.json', 'out.part'])('a link at %s is not followed', async (name) => {
    const path = join(folder, 'out')
    const target = parent('target')
    const state = { identity, slices: 1, sessions: 1, bytes: 1 }
    await writeFile(target, JSON.stringify(state))
    if (name === 'out.part') await link(target, `${path}.part.json`)
    await symlink(target, join(folder, name))
    await expect(openPartFile(path, identity)).rejects.toThrow(`${join(folder, name)} is a link: delete it`)
    expect(JSON.parse(await readFile(target, 'utf8'))).toEqual(state)
    expect((await readdir(folder)).filter((each) => each.endsWith('.lock'))).toEqual([])
  })
})
