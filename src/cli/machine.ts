import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A rename within a folder takes effect at once. */
export async function placeFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    await writeFile(unfinished, content, { flag: 'wx', mode })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** What is at a path. A pipe or a folder is `other`, and so is what can't be examined. */
export async function kindOf(path: string): Promise<'nothing' | 'file' | 'other'> {
  try {
    // A dangling symbolic link takes up the name too.
    return (await stat(path).catch(() => lstat(path))).isFile() ? 'file' : 'other'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : 'other'
  }
}

/**
 * Opens an HTML page in the user's browser. Its folder stays: the browser reads the page later.
 *
 * @returns why it did not open and in which temporary file it is, as a clause
 */
export async function openPage(html: string, platform: string): Promise<string | undefined> {
  const file = join(await mkdtemp(join(tmpdir(), 'continuation-point-')), 'report.html')
  await writeFile(file, html)
  const [command, ...words] = OPENERS.get(platform) ?? ['xdg-open']
  const opener = spawn(command, [...words, file], { stdio: 'ignore', detached: true })
  const fault = await new Promise<string | undefined>((resolve) => {
    opener.once('error', () => resolve("can't be run"))
    opener.once('exit', (code) => resolve(code === 0 ? undefined : `failed with exit code ${code}`))
    // It may run as long as the browser.
    setTimeout(() => resolve(undefined), OPENER_WAIT_MS).unref()
  })
  opener.unref()
  return fault === undefined ? undefined : `the report is ${file}; ${command} ${fault}`
}

const OPENER_WAIT_MS = 2_000
const OPENERS: ReadonlyMap<string, readonly [command: string, ...words: string[]]> = new Map([
  ['darwin', ['open']],
  ['win32', ['cmd', '/c', 'start', '']],
])
