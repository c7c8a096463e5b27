import { openSync } from 'node:fs'
import { openBudgets } from '../../src/api/budget.ts'
import type { Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'

/** A process with values instead of streams and files: what was written, by stream, and files from a record. */
export interface FakeIo extends Io {
  readonly written: { stdout: string; stderr: string }
  /** What `placeFile` wrote, by path; it can be read again. */
  readonly placed: Readonly<Record<string, string>>
}

export function fakeIo(files: Readonly<Record<string, string>> = {}, env: Io['env'] = {}): FakeIo {
  const written = { stdout: '', stderr: '' }
  const placed: Record<string, string> = {}
  return {
    written,
    placed,
    program: 'continuation-point',
    env,
    nodeFlags: [],
    versions: { node: '24.22.1', openssl: '3.5.9' },
    stdoutIsTty: false,
    stdout: (text) => {
      written.stdout += text
    },
    onOutputClosed: () => {},
    logDescriptor: () => openSync('/dev/null', 'w'),
    budgetOf: openBudgets(),
    endWithCommand: () => {},
    stderr: (text) => {
      written.stderr += text
    },
    readFile: async (path) => {
      const text = placed[path] ?? files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
    kindOf: async (path) => ((placed[path] ?? files[path]) === undefined ? 'nothing' : 'file'),
    readStdin: async () => files['-'] ?? '',
    writeFile: async () => {
      throw new Error('nothing should be written')
    },
    placeFile: async (path, content) => {
      placed[path] = String(content)
    },
    openPage: async () => undefined,
    processId: 1,
    onSignal: () => {},
  }
}

/** With files that can be written. */
export function writableIo(disk: Record<string, string>, env: Io['env'] = {}) {
  const write = async (path: string, text: string) => {
    disk[path] = text
  }
  return { ...fakeIo(disk, env), disk, writeFile: write, placeFile: write }
}

/** Runs one command to its end; a line is split at its spaces. */
export async function runCommand(line: string | readonly string[], io: FakeIo = fakeIo()) {
  const code = await run(typeof line === 'string' ? line.split(' ') : line, io)
  return { code, placed: io.placed, ...io.written }
}
