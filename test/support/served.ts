import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolderOfTest } from './folder.ts'
import { endAfterTest, openForTest } from './open-for-test.ts'
import { listening, type Program, type ProgramOptions, startProgram } from './program.ts'
import { askOnce } from './raw-client.ts'
import {
  answerOk,
  type RecordingUpstream,
  type Script,
  startUpstream,
  type UpstreamOptions,
} from './recording-upstream.ts'
import { serveConfig } from './serve-config.ts'
import { POINT_HOST } from './start-proxy.ts'

type Changes = Readonly<Record<string, unknown>>

/** The built program, serving; all of it is gone when the test ends. */
export interface Serving {
  readonly folder: string
  /** The config of every program. */
  readonly file: string
  /** Starts one more program with this config. */
  start(
    changes?: Changes,
    options?: ProgramOptions,
  ): Promise<{ readonly program: Program; readonly port: number }>
  /** Writes a config, or another text, into the file. */
  write(config: Changes | string): Promise<void>
}

/** The built program serving in front of a scripted service. */
export interface Served extends Serving {
  readonly upstream: RecordingUpstream
}

export async function openServed(script: Script = answerOk, options: UpstreamOptions = {}): Promise<Served> {
  const upstream = await openForTest(startUpstream(script, options))
  return { upstream, ...openServing(upstream.origin) }
}

/** The same in front of another service. */
export function openServing(serviceUrl: string): Serving {
  const folder = openFolderOfTest()
  const file = join(folder, 'config.json')
  const write = (config: Changes | string) =>
    writeFile(
      file,
      typeof config === 'string' ? config : serveConfig(serviceUrl, { log: { access: false }, ...config }),
    )
  return {
    folder,
    file,
    write,
    start: async (changes = {}, how = {}) => {
      await write(changes)
      const program = endAfterTest(startProgram(['serve', '--config', file], how))
      return { program, port: Number((await listening(program)).port) }
    },
  }
}

/** The octets of a GET of the point, or of a path below it. */
export function pointRequest(path = ''): string {
  return `GET /service_cookie_transfer/${path} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`
}

/** Sends one on a connection of its own; the first line of what comes back. */
export async function askPoint(port: number): Promise<string> {
  return (await askOnce(port, pointRequest())).startLine
}

/** What the admin listener of a program says at a path. */
export async function askAdmin(program: Program, path = '/metrics'): Promise<string> {
  return (await fetch(new URL(path, await listening(program, 'admin')))).text()
}
