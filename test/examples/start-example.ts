import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, startProgram } from '../support/program.ts'
import { BUILT, place } from './built-frameworks.ts'

export interface RunningExample {
  readonly program: Program
  readonly port: number
  /** Ends it as a supervisor would, and returns the exit code. */
  stop(): Promise<number | null>
}

/** Runs `deploy/examples/NAME/server.mjs` as a user of the installed package would, with a config of the test. */
export async function startExample(
  name: string,
  config: object,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningExample> {
  const folder = mkdtempSync(join(tmpdir(), 'continuation-point-example-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  // As `init` writes it, with a comment.
  writeFileSync(join(folder, 'config.json'), `// Points\n${JSON.stringify(config)}`)
  cpSync(join(top, 'deploy/examples', name), join(folder, name), { recursive: true })
  const output = BUILT[name]
  if (output !== undefined) cpSync(join(place, name, output), join(folder, name, output), { recursive: true })
  install(folder)
  const program = startProgram([], {
    script: join(folder, name, 'server.mjs'),
    cwd: join(folder, name),
    nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(ANNOUNCE)}`],
    env: { NODE_ENV: 'production', PORT: '0', WIDGET_KEY: 'example-widget-key', ...env },
  })
  const [, port = ''] = await program.printed(/listening (\d+)/)
  return {
    program,
    port: Number(port),
    stop: async () => {
      program.signal('SIGTERM')
      const code = await program.ended()
      rmSync(folder, { recursive: true })
      return code
    },
  }
}

function install(folder: string): void {
  const modules = join(folder, 'node_modules')
  for (const [name, target] of PACKAGES) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(target, join(modules, name))
  }
}

/** Says which port the example's server got: the examples themselves are kept to what their readers need. */
const ANNOUNCE = `
  import { Server } from 'node:net'
  const { emit } = Server.prototype
  Server.prototype.emit = function (event, ...rest) {
    if (event === 'listening') console.log('listening', this.address().port)
    return emit.call(this, event, ...rest)
  }`

const top = fileURLToPath(new URL('../..', import.meta.url))

const PACKAGES: readonly (readonly [name: string, target: string])[] = [
  ['continuation-point', top],
  ...['express', 'connect', 'koa', 'fastify', 'hono', '@hono/node-server'].map((name): [string, string] => [
    name,
    join(top, 'node_modules', name),
  ]),
  // The builds of Nuxt and SvelteKit contain everything that they need.
  ...['next', 'react', 'react-dom'].map((name): [string, string] => [
    name,
    join(place, 'node_modules', name),
  ]),
]
