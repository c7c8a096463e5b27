import type { ReadFile } from '../config/file-fault.ts'
import { loadResolved } from '../serve/load-resolved.ts'
import { type Served, serveAsPrimary } from '../serve/primary.ts'
import { isWorker, serveAsWorker } from '../serve/worker.ts'
import { configOption, defineCommand, type Outcome } from './command.ts'
import { untilStopped } from './io.ts'
import { refuseToListen } from './listen-fault.ts'
import { unsafeStartReason } from './unsafe-start.ts'
import { version } from './version.ts'

export const command = defineCommand({
  details: `Forwards the continuation points of the config to the service until SIGTERM or SIGINT,
then finishes the requests in flight. SIGHUP reloads the config. SIGUSR2 replaces the
workers, if there are any, by new ones from the package as it is on disk. Logs go to
stdout, one JSON object a line, or at a terminal lines for a person. The exit code is 3
if a later attempt may succeed: the port is in use or not permitted yet, or the address
is not up yet.

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
    const loadFrom = (readFile: ReadFile) =>
      loadResolved({ file: values.config, flags, env: io.env, readFile })
    if (isWorker()) {
      await serveAsWorker(loadFrom, version, io)
      return 'done'
    }
    // Until `serve` listens to these signals, they would end the process.
    let isReloadAsked = false
    io.onSignal('SIGUSR2', () => {})
    io.onSignal('SIGHUP', () => {
      isReloadAsked = true
    })
    const first = await loadFrom(io.readFile)
    if ('problems' in first) return first
    if (values.test) {
      io.stdout('ok\n')
      return 'done'
    }
    return judgeServed(
      await serveAsPrimary({
        own: io,
        version,
        first,
        load: loadFrom,
        isReloadAsked: () => isReloadAsked,
        untilStopped: () => untilStopped(io),
      }),
    )
  },
})

function judgeServed(served: Served): Outcome {
  switch (served.kind) {
    case 'ended':
      return served.cut === 0 ? 'done' : 'findings'
    case 'not-listening':
      return refuseToListen(served, served.listener === 'public' ? '--port' : '--admin-port')
    case 'worker-died':
      return {
        message: 'a worker process died while it started. Start with "workers": 1 to see the reason',
        outcome: 'inconclusive',
      }
  }
}
