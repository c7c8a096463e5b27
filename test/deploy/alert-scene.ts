import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/account.ts'
import { startReceiver } from '../monitor/webhook-receiver.ts'
import { copyPackage } from '../support/copied-package.ts'
import { listening, type Program, type ProgramOptions, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import {
  answerOk,
  type RecordingUpstream,
  type Script,
  startUpstream,
} from '../support/recording-upstream.ts'
import { type Relay, startRelay } from '../support/relay.ts'
import { serveConfig } from '../support/serve-config.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'

/** A Prometheus, and programs that it scrapes, each as a job. */
export interface Scene {
  readonly prometheus: Prometheus
  /** Starts `serve` with one point, in front of a service of its own. */
  serve(job: string, options?: ServeOptions): Promise<Served>
  /** Starts `monitor`; resolves once its first run is over. */
  monitor(job: string, config: Readonly<Record<string, unknown>>): Promise<Program>
  /** Starts `monitor` for a site on which all is well; it calls a webhook that is not there. */
  watchSite(job: string): Promise<WatchedSite>
  /** Copies the package with another version number. @returns its program */
  installNextVersion(): Promise<string>
  /** Kills the programs that run this command. */
  end(command: string): void
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
  ask(count: number, host?: string): Promise<void>
  /** Sends requests, each on a connection that stays open, and waits for no response. */
  hang(count: number, lines?: string): Promise<void>
  metrics(): Promise<string>
}

export interface WatchedSite {
  readonly sandbox: Sandbox
  /** What is in front of the service. */
  readonly service: Relay
  /** Starts the next run at once. */
  again(): void
}

export const PREFIX = '/service_cookie_transfer/'
const hostOf = (job: string) => `${job}.example`
/** The URL of the point that a job serves. */
export const pointOf = (job: string) => `http://${hostOf(job)}${PREFIX}`

export async function openScene(): Promise<Scene> {
  const prometheus = await startPrometheus()
  const programs: (readonly [command: string, program: Program])[] = []
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
  const start = async (command: string, config: string, options: ProgramOptions = {}) => {
    const file = join(await openFolder(), 'config.json')
    await writeFile(file, config)
    const flags = command === 'monitor' ? ['--port', '0'] : []
    const program = startProgram([command, '--config', file, ...flags], options)
    programs.push([command, program])
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
    const { program, file } = await start('serve', serveConfig(service.origin, { ...base, ...changes }), how)
    const port = ports?.public ?? Number((await listening(program)).port)
    const admin =
      ports === undefined ? await listening(program, 'admin') : new URL(`http://127.0.0.1:${ports.admin}`)
    await prometheus.scrape(job, admin)
    const open = async () => keep(await openClient(port))
    const request = (host: string, lines = '') => `GET ${PREFIX} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`
    return {
      program,
      file,
      service,
      ask: async (count, host = hostOf(job)) => {
        const client = await open()
        for (let i = 0; i < count; i += 1) {
          client.write(request(host))
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

  async function monitor(job: string, config: Readonly<Record<string, unknown>>): Promise<Program> {
    const log = { level: 'debug' }
    const env = { API_KEY: 'demo-api-key' }
    const { program } = await start('monitor', JSON.stringify({ log, ...config }), { env })
    await program.printed(/"msg":"checked"/)
    await prometheus.scrape(job, await listening(program, 'admin'))
    return program
  }

  return {
    prometheus,
    serve,
    monitor,
    watchSite: async (job) => {
      const [point, service] = [keep(await startRelay()), keep(await startRelay())]
      const points = [`http://www.shop.localhost:${point.port}${PREFIX}`]
      const sandbox = keep(
        await startSandbox({
          account: demoAccount({ cookie_transfer_urls: points }),
          authorities: [`127.0.0.1:${service.port}`],
          rateLimit: 'off',
        }),
      )
      service.be(sandbox.port)
      const common = {
        service: { url: `http://127.0.0.1:${service.port}` },
        widgetKey: 'demo-widget-key',
        points,
      }
      const { program: served } = await start(
        'serve',
        JSON.stringify({ ...common, listen: { port: 0 }, admin: null }),
      )
      point.be(Number((await listening(served)).port))
      const receiver = keep(await startReceiver((outgoing) => void outgoing.writeHead(404).end()))
      const hook = { webhook: `${receiver.origin}/hook` }
      const program = await monitor(job, { ...common, apiKey: 'env:API_KEY', monitor: hook })
      return { sandbox, service, again: () => program.signal('SIGHUP') }
    },
    installNextVersion: async () => copyPackage(await openFolder(), '99.0.0'),
    end: (wanted) => {
      for (const [command, program] of programs) if (command === wanted) program.signal('SIGKILL')
    },
    close: async () => {
      for (const [, program] of programs) program.signal('SIGKILL')
      await Promise.all(programs.map(([, program]) => program.ended()))
      await Promise.all(opened.map((close) => close()))
    },
  }
}
