import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openFolder } from '../support/folder.ts'
import { isLeftToCi } from '../support/left-to-ci.ts'
import { npmEnv } from '../support/npm-env.ts'
import { top } from './source-tree.ts'

/** What `npm ci` runs in a clone once the packages are there; not `prepare`, of which npm would warn whoever installs the archive. */
function afterInstall(clone: string): void {
  execFileSync('npm', ['run', '--silent', 'dependencies'], { cwd: clone, env: npmEnv(), stdio: 'pipe' })
}

function makeClone(root: string, name: string): string {
  const clone = join(root, name)
  mkdirSync(clone)
  for (const path of ['package.json', 'bundle.mjs', 'tsconfig.json', 'tsconfig.build.json', 'src'])
    cpSync(join(top, path), join(clone, path), { recursive: true })
  return clone
}

describe.skipIf(isLeftToCi)('npm ci in a clone', () => {
  const root = openFolder()
  let clone: string

  beforeAll(() => {
    clone = makeClone(root, 'clone')
    symlinkSync(join(top, 'node_modules'), join(clone, 'node_modules'))
    afterInstall(clone)
  }, 120_000)

  it('is enough to run the program, by itself and with npx', () => {
    // npm makes it executable as it installs a package, and here it did not.
    const direct = execFileSync(join(clone, 'dist/main.js'), ['--version'], { encoding: 'utf8' })
    expect(direct).toContain(packageJson.version)
    const arguments_ = ['--offline', 'continuation-point', '--version']
    const options = { cwd: clone, env: npmEnv(), encoding: 'utf8', stdio: 'pipe' } as const
    const printed = execFileSync('npx', arguments_, options)
    expect(printed).toContain(packageJson.version)
  }, 60_000)

  it('shows the demo with npm start', async () => {
    const npm = spawn('npm', ['start'], { cwd: clone, env: npmEnv(), stdio: OUTPUT, detached: true })
    onTestFinished(async () => {
      if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM')
      await once(npm, 'close')
    })
    const printed = await readUntil(npm, /http:\S+\s/)
    const [url = ''] = /http:\/\/www\.shop\.localhost:\d+\//.exec(printed) ?? []
    const page = await fetch(`http://127.0.0.1:${new URL(url).port}/`, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, url])
  }, 60_000)

  it('builds nothing, and does not fail, where the development packages were left out', () => {
    const production = makeClone(root, 'production')
    // `--omit=dev` alone leaves the compiler there: it is an optional peer of a dependency.
    mkdirSync(join(production, 'node_modules'))
    symlinkSync(join(top, 'node_modules/typescript'), join(production, 'node_modules/typescript'))
    afterInstall(production)
    expect(existsSync(join(production, 'dist'))).toBe(false)
  }, 60_000)
})

const OUTPUT: StdioOptions = ['ignore', 'pipe', 'inherit']

async function readUntil({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  let printed = ''
  for await (const text of stdout?.setEncoding('utf8') ?? []) {
    printed += text
    if (pattern.test(printed)) break
  }
  return printed
}
