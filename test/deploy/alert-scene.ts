import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyPackage } from '../support/copied-package.ts'
import { listening, type Program, type ProgramOptions, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import {
  answerOk,
  type RecordingUpstream,
  type Script,
  startUpstream,
} from '../support/recording-upstream.ts'
import { serveConfig } from '../support/serve-config.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'

/** A Prometheus, and programs that it scrapes, each as a job. */
export interface Scene {
  readonly prometheus: Prometheus
  /** Starts `serve` with one point, in front of a service of its own. */
  serve(job: string, options?: ServeOptions): Promise<Served>
  /** Copies the package with another version number. @returns its program */
  installNextVersion(): Promise<string>
  /** Kills every program. */
  end(): void
  close(): Promise<void>
}

export interface ServeOptions extends ProgramOptions {
  readonly changes?: Readonly<Record<string, unknown>>
  /** What its service does. */
  readonly answer?: Script
  /** Where it listens, if its log can't be asked. */
  readonly ports?: { readonly public: number; readonly admin: number }
}

export interface Served {
  readonly program: Program
  readonly file: string
  readonly service: RecordingUpstream
  /** Sends requests one after the other, and waits for each response. */
  ask(count: number, host?: string, path?: string): Promise<void>
  /** Sends requests, each on a connection that stays open, and waits for no response. */
  hang(count: number, lines?: string): Promise<void>
  metrics(): Promise<string>
}

export const PREFIX = '/service_cookie_transfer/'
const hostOf = (job: string) => `${job}.example`
/** The URL of the point that a job serves. */
export const pointOf = (job: string) => `http://${hostOf(job)}${PREFIX}`

export async function openScene(): Promise<Scene> {
  const prometheus = await startPrometheus()
  const programs: Program[] = []
  /** What is open beside the programs. */
  const opened: (() => unknown)[] = [prometheus.close]
  const keep = <T extends { close(): unknown }>(it: T): T => {
    opened.push(it.close)
    return it
  }
  const openFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
    opened.push(() => rm(folder, { recursive: true }))
    return folder
  }
  const start = async (config: string, options: ProgramOptions) => {
    const file = join(await openFolder(), 'config.json')
    await writeFile(file, config)
    const program = startProgram(['serve', '--config', file], options)
    programs.push(program)
    return { program, file }
  }

  async function serve(job: string, options: ServeOptions = {}): Promise<Served> {
    const { changes = {}, answer = answerOk, ports, ...how } = options
    const service = keep(await startUpstream(answer))
    const base = {
      points: [pointOf(job)],
      listen: { port: ports?.public ?? 0 },
      admin: { port: ports?.admin ?? 0 },
    }
    const { program, file } = await start(serveConfig(service.origin, { ...base, ...changes }), how)
    const port = ports?.public ?? Number((await listening(program)).port)
    const admin =
      ports === undefined ? await listening(program, 'admin') : new URL(`http://127.0.0.1:${ports.admin}`)
    await prometheus.scrape(job, admin)
    const open = async () => keep(await openClient(port))
    const request = (host: string, lines = '', path = PREFIX) =>
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`
    return {
      program,
      file,
      service,
      ask: async (count, host = hostOf(job), path = PREFIX) => {
        const client = await open()
        for (let i = 0; i < count; i += 1) {
          client.write(request(host, '', path))
          await client.response()
        }
      },
      hang: async (count, lines) => {
        for (let i = 0; i < count; i += 1) {
          const client = await open()
          client.socket.on('error', () => {})
          client.write(request(hostOf(job), lines))
        }
      },
      metrics: async () => (await fetch(new URL('/metrics', admin))).text(),
    }
  }

  const end = () => {
    for (const program of programs) program.signal('SIGKILL')
  }

  return {
    prometheus,
    serve,
    installNextVersion: async () => copyPackage(await openFolder(), '99.0.0'),
    end,
    close: async () => {
      end()
      await Promise.all(programs.map((program) => program.ended()))
      await Promise.all(opened.map((close) => close()))
    },
  }
}
