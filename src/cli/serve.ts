import { loadResolved } from '../serve/load-resolved.ts'
import { serve } from '../serve/serve.ts'
import { configOption, defineCommand } from './command.ts'
import { untilStopped } from './io.ts'
import { refuseToListen, unsafeStartReason } from './refuse.ts'
import { version } from './version.ts'

export const command = defineCommand({
  details: `Forwards the continuation points of the config to the service until SIGTERM or SIGINT,
then finishes the requests in flight. SIGHUP loads the config and the secrets again.
Logs go to stdout, one JSON object a line, or at a terminal lines for a person. The exit
code is 3 if a later attempt may succeed: the port is in use or not permitted yet, or the
address is not up yet.

--test only loads the config, with every secret, certificate and authority. It prints
"ok" or every fault, and opens no port.`,
  options: {
    config: configOption,
    host: { value: 'HOST', summary: 'address of the public listener' },
    port: { value: 'N', isPort: true, summary: 'port of the public listener, 0 for a free one' },
    'admin-port': { value: 'N', isPort: true, summary: 'port of the admin listener, 0 for a free one' },
    test: { summary: 'only load the config and everything it refers to, and report problems' },
  },
  async run({ values }, io) {
    const unsafe = unsafeStartReason(io)
    if (unsafe !== undefined) return { message: unsafe }
    const flags = { host: values.host, port: values.port, adminPort: values['admin-port'] }
    const load = (signal?: AbortSignal) => {
      const readFile = (path: string) => io.readFile(path, undefined, signal)
      return loadResolved({ file: values.config, flags, env: io.env, readFile }, io.versions.node)
    }
    // Until `serve` listens to it, this signal would end the process.
    let isReloadAsked = false
    io.onSignal('SIGHUP', () => {
      isReloadAsked = true
    })
    const first = await load()
    if ('problems' in first) return first
    if (values.test) {
      io.stdout('ok\n')
      return 'done'
    }
    const served = await serve({
      own: io,
      version,
      first: first.resolved,
      load,
      isReloadAsked: () => isReloadAsked,
      untilStopped: () => untilStopped(io),
    })
    if (served.kind === 'not-listening') return refuseToListen(served)
    return served.cut === 0 ? 'done' : 'findings'
  },
})
