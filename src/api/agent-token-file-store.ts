import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentTokenStore } from './agent-token-store.ts'
import { takeFileLock } from './file-lock.ts'

/**
 * A store for the processes that share a disk: a folder with one file for each agent, which only its owner may read.
 *
 * @param folder made when it is not there; for the tokens of one account and nothing else
 *
 * @example
 * const tokens = createAgentTokens(client, { store: fileTokenStore('/var/lib/desk/agent-tokens') })
 */
export function fileTokenStore(folder: string): AgentTokenStore {
  const prepare = () => mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32))
  return {
    get: (key) => readFile(`${fileOf(key)}.json`, 'utf8').catch(nothingIfAbsent),
    async set(key, value) {
      await prepare()
      const part = `${fileOf(key)}.${randomUUID()}`
      try {
        await writeFile(part, value, { mode: 0o600, flag: 'wx' })
        await rename(part, `${fileOf(key)}.json`)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    delete: (key) => unlink(`${fileOf(key)}.json`).catch(nothingIfAbsent),
    async exclusive(key, work) {
      await prepare()
      const lock = await takeFileLock(`${fileOf(key)}.lock`, 'wait')
      try {
        return await work()
      } finally {
        await lock.release()
      }
    },
  }
}

function nothingIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
