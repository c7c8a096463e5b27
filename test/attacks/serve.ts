import { fileURLToPath } from 'node:url'
import { listenTls, pemOf } from '../support/certificates/certificate.ts'
import { openForTest } from '../support/open-for-test.ts'
import type { Program, ProgramOptions } from '../support/program.ts'
import { openClient, type RawClient } from '../support/raw-client.ts'
import { type Script, startUpstream, type UpstreamOptions } from '../support/recording-upstream.ts'
import { askAdmin, openServing } from '../support/served.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'

/** The built program under attack, with every setting at its default unless the test says otherwise. */
export interface Serve {
  readonly program: Program
  readonly port: number
  /** The body of the admin listener's response at a path. */
  admin(path: string): Promise<string>
  /** Opens a client connection; it is closed when the test ends. */
  client(): Promise<RawClient>
  /** Opens a client connection and writes a request on it. */
  ask(octets: string): Promise<RawClient>
  /** The start line that a visitor gets; `cut` if the connection ends without one. */
  visit(octets?: string): Promise<string>
  /** Resolves once exactly this many requests are in progress, according to the program's metrics. */
  underWay(count: number): Promise<void>
  /** Heap and buffers after a garbage collection. */
  heapBytes(): Promise<number>
  /** The same once the program has read what it reads: two looks in a row differ by less than this. */
  settledHeapBytes(toleranceBytes: number): Promise<number>
  /** Stops the program meanwhile, so that it then reads all that was written at once. */
  whileStopped(act: () => unknown): Promise<void>
  /** Makes the program reload its config, with these changes, and waits until it logs that. */
  reload(changes?: Record<string, unknown>): Promise<void>
}

type Options = Pick<ProgramOptions, 'nodeFlags' | 'env' | 'procs' | 'fileLimit'>

/** Starts `continuation-point serve` in front of a recording service, and cleans up when the test ends. */
export async function startBoth(
  script?: Script,
  changes: Record<string, unknown> = {},
  options: Options & { readonly upstream?: UpstreamOptions } = {},
) {
  const upstream = await openForTest(startUpstream(script, options.upstream))
  return { upstream, serve: await startServe(upstream.origin, changes, options) }
}

/** The same with TLS, for `SHOP_HOST`; `ask` opens connections that trust it. */
export async function startTls(
  script?: Script,
  changes: Record<string, unknown> = {},
  options: Options = {},
) {
  const { upstream, serve } = await startBoth(
    script,
    {
      points: [`https://${SHOP_HOST}/service_cookie_transfer/`],
      listen: { port: 0, tls: listenTls('shop') },
      ...changes,
    },
    options,
  )
  return { upstream, serve, ask: (octets: string) => askShop(serve.port, octets) }
}

/** A client that trusts the shop, with a request on a record of its own. */
export async function askShop(port: number, octets: string): Promise<RawClient> {
  const client = await openForTest(openClient(port, SHOP_TLS))
  await new Promise((resolve) => client.socket.write(octets, resolve))
  return client
}

/** Starts `continuation-point serve` in front of a service, and cleans up when the test ends. */
export async function startServe(
  serviceOrigin: string,
  changes: Record<string, unknown> = {},
  { nodeFlags = [], ...options }: Options = {},
): Promise<Serve> {
  const { write, start } = openServing(serviceOrigin)
  const config = { admin: { port: 0 }, ...changes }
  const probe = fileURLToPath(new URL('heap-probe.mjs', import.meta.url))
  const { program, port } = await start(config, {
    ...options,
    nodeFlags: ['--expose-gc', '--import', probe, ...nodeFlags],
  })
  const admin = (path: string) => askAdmin(program, path)
  let probes = 0
  let reloads = 0

  const client = () => openForTest(openClient(port))
  const ask = async (octets: string) => {
    const opened = await client()
    opened.write(octets)
    return opened
  }
  const heapBytes = async () => {
    probes += 1
    program.signal('SIGWINCH')
    const [, bytes] = await program.printed(new RegExp(`"probe":${probes},"heapBytes":(\\d+)`))
    return Number(bytes)
  }
  return {
    program,
    port,
    admin,
    client,
    ask,
    visit: async (octets = request('GET', 'visitor')) => {
      const visitor = await ask(octets)
      const { startLine } = await visitor.response().catch(() => ({ startLine: 'cut' }))
      visitor.close()
      return startLine
    },
    underWay: (count) =>
      until(async () => {
        const text = await admin('/metrics')
        return Number(/^http_server_active_requests (\d+)$/m.exec(text)?.[1]) === count
      }),
    heapBytes,
    settledHeapBytes: async (toleranceBytes) => {
      let last = Number.NaN
      let now = await heapBytes()
      while (!(Math.abs(now - last) < toleranceBytes)) {
        last = now
        now = await heapBytes()
      }
      return now
    },
    whileStopped: async (act) => {
      program.signal('SIGSTOP')
      await act()
      program.signal('SIGCONT')
    },
    reload: async (more = {}) => {
      reloads += 1
      await write({ ...config, ...more })
      program.signal('SIGHUP')
      await program.printed(new RegExp(`(?:"msg":"config reloaded"[^]*){${reloads}}`))
    },
  }
}

/** The octets of a request to the point; `rest` is what follows the Host line: field lines, an empty line, a body. */
export function request(method: string, path: string, rest = '\r\n'): string {
  return `${method} /service_cookie_transfer/${path} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n${rest}`
}

export const OK = 'HTTP/1.1 200 OK'
export const MEBIBYTE = 1_048_576
export const SHOP_HOST = 'www.shop.localhost'
export const SHOP_TLS = { ca: pemOf('shop-authority.cert'), servername: SHOP_HOST, host: '127.0.0.1' }
export const SMALL_HEAP = { nodeFlags: ['--max-old-space-size=128'] }
