import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Watch } from './watch.ts'

/** The built program, as a shell runs it; `npm test` builds it first. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface Program {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the match once stdout has it; rejects if the program ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code, once it has ended and its output is read. */
  ended(): Promise<number | null>
  signal(name: NodeJS.Signals): void
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeFlags?: readonly string[]
  readonly cwd?: string
  /** A script to run instead of the program. */
  readonly script?: string
  /** The Node that runs it, if not the one that runs the tests. */
  readonly node?: string
  /** The `cgroup.procs` of the control group that it starts in. */
  readonly procs?: string | undefined
  /** How many files each of its processes may have open. */
  readonly fileLimit?: number | undefined
}

const running = new Set<ChildProcess>()

/** A test that fails may not get to the end of its program. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Starts `continuation-point WORDS`. */
export function startProgram(
  words: readonly string[],
  {
    env = {},
    nodeFlags = [],
    script = MAIN,
    node = process.execPath,
    cwd,
    procs,
    fileLimit,
  }: ProgramOptions = {},
): Program {
  const prefix = fileLimit === undefined ? [] : ['prlimit', `--nofile=${fileLimit}`]
  const line = [...prefix, node, ...nodeFlags, script, ...words]
  const [command = '', ...rest] =
    procs === undefined ? line : ['sh', '-c', 'echo $$ > "$0" && exec "$@"', procs, ...line]
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  let stdout = ''
  let stderr = ''
  const watch = new Watch()
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
    watch.notify()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  // One that is killed may reset its pipes.
  for (const output of [child.stdout, child.stderr]) output.on('error', () => {})
  let hasEnded = false
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      hasEnded = true
      resolve(code)
      watch.notify()
    })
  })
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    printed: (pattern) =>
      watch.find(() => {
        const match = pattern.exec(stdout)
        if (match === null && hasEnded)
          throw new Error(`It ended before printing ${pattern}: ${stdout}${stderr}`)
        return match ?? undefined
      }),
    ended: () => ended,
    signal: (name) => void child.kill(name),
  }
}

/** Starts `continuation-point WORDS`, and waits for its end. */
export async function runProgram(words: readonly string[], options: ProgramOptions = {}) {
  const program = startProgram(words, options)
  return { code: await program.ended(), stdout: program.stdout(), stderr: program.stderr() }
}

/** The URL that the program logged for a listener. */
export async function listening(program: Program, listener: 'public' | 'admin' = 'public'): Promise<URL> {
  const [, url = ''] = await program.printed(
    new RegExp(`"msg":"listening","listener":"${listener}","url":"([^"]+)"`),
  )
  return new URL(url)
}
