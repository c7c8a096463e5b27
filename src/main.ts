#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { constants, createReadStream, openSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { openBudgets } from './api/budget.ts'
import { EXIT_CODE } from './cli/exit-code.ts'
import { endLineOfTerminal, explainOutputFault, type Io } from './cli/io.ts'
import { run } from './cli/run.ts'
import { readTextFile } from './config/read-text-file.ts'

const MESSAGE_WAIT_MS = 1_000
const PARENT_LOOK_MS = 250
const OPENER_WAIT_MS = 2_000
const OPENERS: Readonly<Record<string, readonly [command: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** The only file that touches the process: its arguments, environment, streams, signals and exit code. */

let endsWithCommand = false
let goesOnWithoutOutput = false

const io: Io = {
  program: isOnlyForNpx() ? 'npx continuation-point' : 'continuation-point',
  env: process.env,
  nodeFlags: process.execArgv,
  versions: process.versions,
  stdoutIsTty: process.stdout.isTTY === true,
  stdoutColumns: process.stdout.isTTY === true ? process.stdout.columns || 80 : undefined,
  stderrColumns: process.stderr.isTTY === true ? process.stderr.columns || 80 : undefined,
  stdout: (text) => void process.stdout.write(text),
  logDescriptor,
  endWithCommand: () => {
    endsWithCommand = true
  },
  stderr: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
  readFile: (path, limitBytes, signal) => readTextFile(path, limitBytes, (pipe) => openPipe(pipe, signal)),
  kindOf,
  listFolder: (path) => readdir(path).catch(() => []),
  readStdin: async () => {
    let text = ''
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
    return text
  },
  writeFile: (path, text) => writeFile(path, text),
  placeFile,
  budgetOf: openBudgets(),
  openPage,
  processId: process.pid,
  onSignal: (signal, listener, endsByItself = false) => {
    if (signal === 'SIGTERM' && !endsByItself) goesOnWithoutOutput = true
    if (signal === 'SIGINT') process.off('SIGINT', interrupt)
    process.on(signal, listener)
  },
}

process.stdout.on('error', (error) => streamFailed(error, 'standard output'))
process.stderr.on('error', (error) => streamFailed(error, 'standard error'))

process.on('SIGINT', interrupt)
// Without a listener Node opens its debugger, which lets every user of the machine read the memory of this process.
if (process.platform !== 'win32') process.on('SIGUSR1', () => {})
process.on('uncaughtException', crash)
if (process.env.npm_command !== undefined) endWithNpm(process.ppid)

process.exitCode = await run(process.argv.slice(2), io)
// A write to a stalled reader would keep the process alive, as would an unanswered question at the terminal.
if (endsWithCommand) process.exit()

/** Whether only npx finds this program: npm started it, or the user gave its path, in a clone or in node_modules. */
function isOnlyForNpx(): boolean {
  const paths = ['dist/main.js', 'node_modules/.bin/continuation-point']
  return process.env.npm_command !== undefined || paths.some((path) => resolve(path) === process.argv[1])
}

/** A signal to npx or npm ends the shell between it and this program, and does not arrive here. */
function endWithNpm(shell: number): void {
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_LOOK_MS)
  timer.unref()
}

/** A terminal that was stopped (Ctrl-S) would block the thread that writes to it, and with it the end of the process. */
function logDescriptor(): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  return process.stdout.isTTY && process.platform !== 'win32'
    ? openSync('/dev/fd/1', O_WRONLY | O_NONBLOCK | O_NOCTTY)
    : 1
}

/** Node would leave a thread waiting for a writer, and while it waits, the process can't end. */
function openPipe(path: string, signal?: AbortSignal): AsyncIterable<Buffer> {
  // Elsewhere the end of a pipe is not told from a writer that is yet to come.
  if (process.platform !== 'linux') return createReadStream(path)
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, writable: false, signal })
}

/** A rename within a folder takes effect at once. */
async function placeFile(path: string, text: string, mode?: number): Promise<void> {
  await makeFolder(dirname(path))
  const unfinished = `${path}.${process.pid}.unfinished`
  try {
    await writeFile(unfinished, text, { flag: 'wx', mode })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Like mkdir with `recursive`, which never returns if a folder can't be made although its parent exists, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path).catch(async (error) => {
      if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error
    })
  await make().catch(async (error) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await make()
  })
}

/** The folder stays: the browser reads the page later. */
async function openPage(html: string): Promise<string | undefined> {
  const file = join(await mkdtemp(join(tmpdir(), 'continuation-point-')), 'report.html')
  await writeFile(file, html)
  const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open']
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

/** With `terminal` off, Ctrl-C stays a signal; readline would swallow it. */
function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, terminal: false })
  signal?.addEventListener('abort', () => lines.close())
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.removeAllListeners('close').close()
    })
    lines.once('close', () => {
      process.stderr.write('\n')
      resolve(undefined)
    })
  })
}

async function kindOf(path: string): Promise<'nothing' | 'file' | 'other'> {
  try {
    // A dangling symbolic link takes up the name too.
    const stats = await stat(path).catch(() => lstat(path))
    return stats.isFile() ? 'file' : 'other'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : 'other'
  }
}

function interrupt(): void {
  endLineOfTerminal(io)
  process.exit(EXIT_CODE.interrupted)
}

/**
 * A reader that closes the pipe early (`| head`) is not an error. A full disk is, since the result is lost. A command
 * that runs until SIGTERM goes on without its log.
 */
function streamFailed({ code = 'unknown error' }: NodeJS.ErrnoException, stream: string): void {
  if (code === 'EPIPE' || goesOnWithoutOutput) return
  end(`continuation-point: ${explainOutputFault(code, stream)}\n`)
}

/** Prints only the name and code of the error: its message may contain secrets. */
function crash(error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : ''
  end(`internal error: ${name}${code}\n`)
}

/** Ends the process once the message is written, or after a second if its reader has stalled. */
function end(message: string): void {
  const exit = () => process.exit(EXIT_CODE.inconclusive)
  process.stderr.write(message, exit)
  setTimeout(exit, MESSAGE_WAIT_MS)
}
