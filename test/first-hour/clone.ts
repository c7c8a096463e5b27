import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { top } from '../project/source-tree.ts'
import { npmEnv } from '../support/npm-env.ts'
import { startProgram } from '../support/program.ts'

/** `npm run first-hour`: in a git clone that installs from the registry. `npm test` plays it in a copy. */
const isLong = process.env.FIRST_HOUR === 'long'

/** What a command line printed, and its exit code. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A user's machine with nothing on it but a clone of the project and the servers of the distribution. */
export type Machine = ReturnType<typeof makeMachine>

/** Makes the machine and installs as README says: a clone, and `npm ci` in it. */
export function makeMachine() {
  const home = mkdtempSync(join(tmpdir(), 'first-hour-'))
  const clone = join(home, 'continuation-point')
  const site = join(home, 'site')
  mkdirSync(site)
  // The workers of servers are other users.
  chmodSync(home, 0o755)
  const startedMs = performance.now()
  install(home, clone)
  const commands = ['git clone', 'npm ci']
  // npx takes seconds, and looks for a newer npm; without it the program still has to believe that npx called it.
  const quietly: Record<string, string> = isLong
    ? { npm_config_update_notifier: 'false' }
    : { npm_command: 'exec' }
  const path = `${dirname(process.execPath)}:/usr/sbin:/usr/bin:/bin`
  return {
    clone,
    site,
    installMs: performance.now() - startedMs,
    /** So far, those of the installation included. */
    commands,
    /** Runs a line in a shell that knows PATH, HOME and the variables given. */
    run: (line: string, env: Readonly<Record<string, string>> = {}) =>
      new Promise<Ran>((resolve) => {
        commands.push(line)
        const options = { cwd: clone, env: { PATH: path, HOME: home, ...quietly, ...env }, timeout: 120_000 }
        execFile(
          '/bin/sh',
          ['-c', isLong ? line : line.replaceAll('npx continuation-point', 'node dist/main.js')],
          options,
          (error, stdout, stderr) => {
            resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
          },
        )
      }),
    /** Starts a command of the program that keeps running. */
    start: (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      commands.push(words.join(' '))
      return startProgram(words, {
        script: join(clone, 'dist/main.js'),
        cwd: clone,
        env: { HOME: home, ...env },
      })
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

function install(home: string, clone: string): void {
  const env = { ...npmEnv(), HOME: home }
  if (!isLong) {
    for (const path of NEEDED) cpSync(join(top, path), join(clone, path), { recursive: true })
    // In place of `npm ci`, which needs a network. test/project/install runs the build that is its last step.
    symlinkSync(join(top, 'node_modules'), join(clone, 'node_modules'))
  } else if (existsSync(join(top, '.git'))) {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${top}`, clone])
    execFileSync('npm', ['ci', '--silent'], { cwd: clone, env })
  } else {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', home], { cwd: top, env })
    const [packed = ''] = readdirSync(home).filter((name) => name.endsWith('.tgz'))
    execFileSync('tar', ['-xzf', packed], { cwd: home })
    renameSync(join(home, 'package'), clone)
    execFileSync('npm', ['install', '--silent', '--omit=dev'], { cwd: clone, env })
  }
}

/** What the built program consists of. */
const NEEDED = ['dist', 'package.json', 'config.schema.json']
