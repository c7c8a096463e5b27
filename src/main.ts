#!/usr/bin/env node
import { constants, createReadStream, openSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { openBudgets } from './api/budget.ts'
import { EXIT_CODE } from './cli/command.ts'
import { endLineOfTerminal, type Io } from './cli/io.ts'
import { kindOf, openPage, placeFile } from './cli/machine.ts'
import { run } from './cli/run.ts'
import { LARGEST_TEXT_BYTES, readStream, readTextFile } from './config/read-text-file.ts'

const MESSAGE_WAIT_MS = 1_000

/** The only file that touches the process: its arguments, environment, streams, signals and exit code. */

let endsWithCommand = false
let goesOnWithoutOutput = false
let outputClosed = () => {}

const io: Io = {
  program: isOnlyForNpx() ? 'npx continuation-point' : 'continuation-point',
  env: process.env,
  nodeFlags: process.execArgv,
  versions: process.versions,
  stdoutIsTty: process.stdout.isTTY === true,
  stdoutColumns: process.stdout.isTTY === true ? process.stdout.columns || 80 : undefined,
  stderrColumns: process.stderr.isTTY === true ? process.stderr.columns || 80 : undefined,
  stdout: (text) => void process.stdout.write(text),
  onOutputClosed: (listener) => {
    outputClosed = listener
  },
  logDescriptor,
  endWithCommand: () => {
    endsWithCommand = true
  },
  stderr: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
  readFile: (path, limitBytes, signal) => readTextFile(path, limitBytes, (pipe) => openPipe(pipe, signal)),
  kindOf,
  readStdin: () => readStream(process.stdin, LARGEST_TEXT_BYTES),
  writeFile: writeFileOrPipe,
  placeFile,
  budgetOf: openBudgets(),
  openPage: (html) => openPage(html, process.platform),
  processId: process.pid,
  onSignal: (signal, listener, endsByItself = false) => {
    if (signal === 'SIGTERM' && !endsByItself) goesOnWithoutOutput = true
    if (signal === 'SIGINT') process.off('SIGINT', interrupt)
    process.on(signal, listener)
  },
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') outputClosed()
  streamFailed(error, 'standard output')
})
process.stderr.on('error', (error) => streamFailed(error, 'standard error'))

process.on('SIGINT', interrupt)
// Without a listener Node opens its debugger, which lets every user of the machine read the memory of this process.
if (process.platform !== 'win32') process.on('SIGUSR1', () => {})
process.on('uncaughtException', crash)

process.exitCode = await run(process.argv.slice(2), io)
// A write to a stalled reader would keep the process alive, as would an unanswered question at the terminal.
if (endsWithCommand) process.exit()

/** Whether only npx finds this program: npm started it, or the user gave its path, in a clone or in node_modules. */
function isOnlyForNpx(): boolean {
  const paths = ['dist/main.js', 'node_modules/.bin/continuation-point']
  return process.env.npm_command !== undefined || paths.some((path) => resolve(path) === process.argv[1])
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

/** The same of a pipe that is written: one that nobody reads is refused (ENXIO), and a full one keeps no thread. */
async function writeFileOrPipe(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFIFO() !== true) return writeFile(path, text)
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  await finished(new Socket({ fd, readable: false }).end(text))
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

function interrupt(): void {
  endLineOfTerminal(io)
  process.exit(EXIT_CODE.interrupted)
}

/**
 * A reader that closes the pipe early (`| head`) is not an error. A full disk is, since the result is lost: the exit code
 * is 3. A command that runs until SIGTERM goes on without its log.
 */
function streamFailed({ code = 'unknown error' }: NodeJS.ErrnoException, stream: string): void {
  if (code === 'EPIPE' || goesOnWithoutOutput) return
  const next = code === 'ENOSPC' ? 'free space, or write elsewhere' : 'write elsewhere'
  end(`continuation-point: can't write to ${stream} (${code}): ${next}\n`)
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
