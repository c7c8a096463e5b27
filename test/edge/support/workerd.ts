import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { accepts } from '../../support/accepts.ts'

export interface RunningWorker {
  close(): Promise<void>
}

/** Runs `worker.ts`, bundled, in workerd; resolves once it accepts connections on `port`. */
export function startWorker(config: Record<string, unknown>, port: number): Promise<RunningWorker> {
  return startModule(bundle, { CONFIG: JSON.stringify(config) }, port)
}

/** Runs a module that is there as text. */
export function startModuleText(
  text: string,
  bindings: Readonly<Record<string, string>>,
  port: number,
): Promise<RunningWorker> {
  return startModule((file) => writeFile(file, text), bindings, port)
}

async function startModule(
  place: (file: string) => Promise<void>,
  bindings: Readonly<Record<string, string>>,
  port: number,
): Promise<RunningWorker> {
  if (binary.includes('.bin/'))
    throw new Error('WORKERD names a script: set it to what require("workerd").default is')
  const folder = await mkdtemp(join(tmpdir(), 'worker-'))
  await place(join(folder, 'worker.js'))
  await writeFile(join(folder, 'config.capnp'), toCapnp(bindings, port))
  const child = spawn(binary, ['serve', join(folder, 'config.capnp')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk
    })
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`workerd ended: ${log}`)
    await wait(20)
  }
  return {
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One file without imports: a module of Node that crept in would make workerd refuse it. */
async function bundle(file: string): Promise<void> {
  const build = await rolldown({
    input: fileURLToPath(new URL('worker.ts', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  })
  await build.write({ file, format: 'es', codeSplitting: false })
  await build.close()
}

function toCapnp(bindings: Readonly<Record<string, string>>, port: number): string {
  const list = Object.entries(bindings).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local", "private", "public"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2025-09-01",
  compatibilityFlags = ["enable_request_signal"],
  bindings = [${list.join(', ')}]
);
`
}

/**
 * The program of the npm package workerd, which is too large to be installed with every checkout: its path in `WORKERD`, as
 * `require('workerd').default` has it. The script in `.bin` would leave the program running when it is ended.
 */
const binary = process.env.WORKERD ?? ''

/** Without WORKERD, tests in workerd are skipped, and fail on CI. */
export const skipsWorkerd = binary === '' && process.env.CI === undefined
