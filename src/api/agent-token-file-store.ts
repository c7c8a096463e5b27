import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentTokenStore } from './agent-token-store.ts'
import { json } from './answer.ts'
import { takeFileLock } from './file-lock.ts'
import { checkOwnFolder, nothingIfAbsent, readOwn } from './own-file.ts'
import { integer, strict, text } from './schema.ts'

/**
 * A store for the processes that share a disk: a folder with one file for each agent, which only its owner may read. The
 * disk's clock decides when a value expires, so the clocks of the machines may differ.
 *
 * @param folder created if missing; for the tokens of one account and nothing else. One of another user, or that others
 * can read or change, is refused (`AgentTokenError` of kind `unsafe-store`)
 *
 * @example
 * import { createAgentTokens, createClient, fileTokenStore } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * const tokens = createAgentTokens(client, { store: fileTokenStore('/var/lib/desk/agent-tokens') })
 */
export function fileTokenStore(folder: string): AgentTokenStore {
  const prepare = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await checkOwnFolder(folder)
  }
  const fileOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32))
  return {
    get: (key) =>
      checkOwnFolder(folder)
        .then(() => readValue(`${fileOf(key)}.json`))
        .catch(nothingIfAbsent),
    async set(key, value, lifetimeMs) {
      await prepare()
      const part = `${fileOf(key)}.${randomUUID()}`
      try {
        await writeFile(part, JSON.stringify({ value, lifetimeMs: Math.ceil(lifetimeMs) }), {
          mode: 0o600,
          flag: 'wx',
        })
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

async function readValue(path: string): Promise<string | undefined> {
  const file = await readOwn(path)
  const kept = json(keptSchema)(file.text)
  // A damaged file counts as missing.
  if ('fault' in kept) return undefined
  const { value, lifetimeMs } = kept.value
  const ageMs = (await diskNowMs(path)) - file.stats.mtimeMs
  return ageMs >= 0 && ageMs < lifetimeMs ? value : undefined
}

/** The time that the disk gives to a new file: on a network file system that is the server's. */
async function diskNowMs(path: string): Promise<number> {
  const probe = `${path}.${randomUUID()}`
  const file = await open(probe, 'wx', 0o600)
  try {
    return (await file.stat()).mtimeMs
  } finally {
    await file.close()
    await rm(probe, { force: true })
  }
}

const keptSchema = strict({ value: text, lifetimeMs: integer })
