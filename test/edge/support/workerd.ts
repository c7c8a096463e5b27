import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { type RealServer, type RunningServer, startSite } from '../../front-ends/support/real-server.ts'

/** Runs `worker.ts`, bundled, in workerd; resolves once it accepts connections on `port`. */
export async function startWorker(config: Record<string, unknown>, port: number): Promise<RunningServer> {
  const text = await bundleWorker(fileURLToPath(new URL('worker.ts', import.meta.url)))
  return startModuleText(text, { CONFIG: JSON.stringify(config) }, port)
}

/** Runs a module that is there as text. */
export async function startModuleText(
  text: string,
  bindings: Readonly<Record<string, string>>,
  port: number,
): Promise<RunningServer> {
  if (workerd.binary.includes('.bin/'))
    throw new Error('WORKERD names a script: set it to what require("workerd").default is')
  return startSite(workerd, () => ({ 'worker.js': text, 'server.conf': toCapnp(bindings, port) }), port)
}

/** One file without imports: a module of Node that crept in would make workerd refuse it. */
export async function bundleWorker(
  input: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<string> {
  const build = await rolldown({ input, resolve: { alias }, platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'es', codeSplitting: false })
  await build.close()
  return output[0].code
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
const workerd: RealServer = {
  name: 'workerd',
  binary: process.env.WORKERD ?? '',
  check: () => [],
  run: (file) => ['serve', file],
  env: () => ({}),
}

/** Without WORKERD, tests in workerd are skipped, and fail on CI. */
export const skipsWorkerd = workerd.binary === '' && process.env.CI === undefined
