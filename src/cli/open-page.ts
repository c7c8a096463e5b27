import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
