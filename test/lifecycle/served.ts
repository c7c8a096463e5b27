import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { listening, type Program, startProgram } from '../support/program.ts'
import {
  answerOk,
  type RecordingUpstream,
  type Script,
  startUpstream,
  type UpstreamOptions,
} from '../support/recording-upstream.ts'
import { POINT_HOST } from '../support/start-proxy.ts'

/** The built program serving in front of a scripted service; all of it is gone when the test ends. */
export interface Served {
  readonly upstream: RecordingUpstream
  /** Starts one more program with this config, from another copy of the package and by another Node if they are given. */
  start(
    changes?: Record<string, unknown>,
    script?: string,
    node?: string,
  ): Promise<{ readonly program: Program; readonly port: number }>
  /** Writes the config file of every program. */
  write(text: string): Promise<void>
  /** A config text that can be served. */
  config(changes?: Record<string, unknown>): string
}

export async function openServed(script: Script = answerOk, options: UpstreamOptions = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  const file = join(folder, 'config.json')
  const upstream = await startUpstream(script, options)
  const programs: Program[] = []
  onTestFinished(async () => {
    for (const program of programs) program.signal('SIGKILL')
    await Promise.all(programs.map((program) => program.ended()))
    await upstream.close()
    await rm(folder, { recursive: true })
  })
  const config = (changes: Record<string, unknown> = {}) =>
    JSON.stringify({
      service: { url: upstream.origin },
      widgetKey: 'test-widget-key',
      points: [`http://${POINT_HOST}/service_cookie_transfer/`],
      listen: { port: 0 },
      admin: null,
      log: { access: false },
      ...changes,
    })
  return {
    upstream,
    config,
    write: (text) => writeFile(file, text),
    start: async (changes, script, node) => {
      await writeFile(file, config(changes))
      const program = startProgram(['serve', '--config', file], {
        ...(script === undefined ? {} : { script }),
        ...(node === undefined ? {} : { node }),
      })
      programs.push(program)
      return { program, port: Number((await listening(program)).port) }
    },
  }
}

/** How many rounds each life-cycle test has; `LIFECYCLE_ROUNDS=100` for the long form. */
export const ROUNDS = Number(process.env.LIFECYCLE_ROUNDS ?? 10)

/** Time for all rounds, ms. */
export const ROUNDS_TIMEOUT_MS = 20_000 + ROUNDS * 5_000
