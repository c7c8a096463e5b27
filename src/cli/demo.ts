import type { RequestListener } from 'node:http'
import { createClient } from '../api/index.ts'
import { parseConfig } from '../config/parse.ts'
import { resolveConfig } from '../forward/resolved-config.ts'
import { openProxy } from '../proxy/proxy.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { shopScopes } from '../sandbox/shop/shop-cookies.ts'
import { demoAccount } from '../sandbox/state/account.ts'
import { ListenError, type Listener, type ListenerSettings, startListener } from '../serve/listener.ts'
import { type Arguments, defineCommand, type Refusal } from './command.ts'
import { type DemoPoint, openBreakage } from './demo-breakage.ts'
import {
  demoSites,
  OTHER_SHOP,
  SERVICE_HOSTS,
  SHOP,
  SITES,
  toJoinUrl,
  toOrigin,
  toPointUrls,
} from './demo-sites.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { type Io, untilStopped } from './io.ts'
import { toListenFault } from './listen-fault.ts'

const options = {
  port: { value: 'N', isPort: true, summary: 'port of the demo site (default: 8080, or a free one)' },
} as const

export const command = defineCommand({
  details: `Starts three things in one process, on loopback only: a small shop on
http://www.shop.localhost with a stand-in of the widget, the proxy on its two
continuation points, and a stand-in for the service behind them. A second shop, on
www.other.localhost, shows what the widget ignores. Customer and agent each have a
window on the same session. A button in the shop breaks a point on purpose, and
shows its red box and the report of check. Browsers resolve *.localhost to this
machine.`,
  options,
  run,
})

async function run({ values }: Arguments<typeof options>, io: Io): Promise<ExitCode | Refusal> {
  let demo: Demo
  try {
    demo = await startDemo(values.port)
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    const place = `the demo can't open port ${values.port ?? DEFAULT_PORT}`
    return { message: toListenFault(place, error.code, '--port') }
  }
  io.stdout(welcome(demo))
  await untilStopped(io)
  await demo.close()
  return exitCode.done
}

export interface Demo {
  /** `http://www.shop.localhost:PORT`. */
  readonly siteOrigin: string
  /** A second shop on another site, `http://www.other.localhost:PORT`. */
  readonly otherOrigin: string
  /** The continuation points of the first shop. */
  readonly pointUrls: readonly string[]
  /** The stand-in service, `http://127.0.0.1:PORT`. */
  readonly serviceUrl: string
  /** Where the demo's agent joins a session by its PIN. */
  readonly joinUrl: string
  close(): Promise<void>
}

/**
 * Starts the demo.
 *
 * @param port the sites' port; by default 8080, or a free one if that is in use
 * @param widgetKey the proxy's key; the stand-in accepts `demo-widget-key`
 * @throws ListenError if the given port can't be opened
 */
export async function startDemo(port?: number, widgetKey = 'demo-widget-key'): Promise<Demo> {
  const sandbox = await startSandbox({ authorities: SERVICE_HOSTS, seed: { agents: [AGENT] } })
  const configFor = (points: readonly DemoPoint[]) => toDemoConfig(sandbox.url, points, widgetKey)
  const proxy = openProxy(await configFor(toPointUrls(SHOP, 80).map((url) => ({ url }))), () => {})
  let sites: RequestListener = (_incoming, outgoing) => outgoing.writeHead(503).end()
  let listener: Listener
  try {
    listener = await listenOn(port, (listening) =>
      startListener(listening, proxy, (incoming, outgoing) => sites(incoming, outgoing)),
    )
  } catch (error) {
    await Promise.all([proxy.destroy(), sandbox.close()])
    throw error
  }
  // The port, which every continuation URL contains, is known only now.
  const pointUrls = SITES.flatMap((site) => toPointUrls(site, listener.port))
  const breakage = openBreakage(sandbox.url, widgetKey, pointUrls, async (points) =>
    proxy.replace(await configFor(points)),
  )
  await breakage.choose(undefined)
  const { agent_token: agentToken } = await createClient({
    baseUrl: `${sandbox.url}/v2`,
    apiKey: sandbox.account.apiKey,
  }).agents.createAccessToken({ agent_id: AGENT.agent_id })
  const shops = demoSites({ port: listener.port, pointUrls, servicePort: sandbox.port, agentToken, breakage })
  sites = (incoming, outgoing) =>
    breakage.isCareless(incoming.headers.host, incoming.url)
      ? breakage.careless(incoming, outgoing)
      : shops(incoming, outgoing)
  sandbox.setAccount(
    demoAccount({
      cookie_transfer_urls: pointUrls,
      cookie_transfer_scopes: SITES.flatMap(({ host }) => shopScopes(host)),
      enable_cookie_backtransfer: true,
    }),
  )
  return {
    siteOrigin: toOrigin(SHOP, listener.port),
    otherOrigin: toOrigin(OTHER_SHOP, listener.port),
    pointUrls: toPointUrls(SHOP, listener.port),
    serviceUrl: sandbox.url,
    joinUrl: toJoinUrl(sandbox.port, agentToken),
    close: async () => {
      const drained = listener.drain()
      listener.destroy()
      await drained
      await Promise.all([proxy.destroy(), sandbox.close()])
    },
  }
}

async function toDemoConfig(serviceUrl: string, points: readonly DemoPoint[], widgetKey: string) {
  const parsed = parseConfig(JSON.stringify({ service: { url: serviceUrl }, widgetKey, points }), 'demo')
  if ('problems' in parsed) throw new Error('The config of the demo is broken')
  const loaded = await resolveConfig(parsed.config, {
    env: {},
    readFile: () => Promise.reject(new Error('No file')),
  })
  if ('problems' in loaded) throw new Error('The config of the demo is broken')
  return loaded.resolved
}

async function listenOn(
  port: number | undefined,
  start: (settings: ListenerSettings) => Promise<Listener>,
): Promise<Listener> {
  const settings = {
    host: '127.0.0.1',
    tls: undefined,
    headLimitBytes: 65_536,
    unfinishedHeadsLimitBytes: 16_777_216,
    headTimeoutMs: 30_000,
  }
  try {
    return await start({ ...settings, port: port ?? DEFAULT_PORT })
  } catch (error) {
    if (port !== undefined || !(error instanceof ListenError && error.code === 'EADDRINUSE')) throw error
    return start({ ...settings, port: 0 })
  }
}

function welcome({ siteOrigin, otherOrigin, pointUrls, serviceUrl, joinUrl }: Demo): string {
  const [root = '', checkout = ''] = pointUrls
  return `Two shops with continuation points are running.

  Open the shop, start a session ${siteOrigin}/
  Join it as the agent, by PIN   ${joinUrl}
  Verify its point on /          ${root}
  Verify the one on /checkout    ${checkout}
  A shop on another site         ${otherOrigin}/

Real: the proxy between the shops' URLs and the service, the same as in serve.
Stand-ins: the shops, the widget in them, and the service at ${serviceUrl}.
Nothing leaves this machine.

Stop with Ctrl-C.
`
}

/** The agent of the demo. */
const AGENT = { agent_id: 1, agent_name: 'Ada', agent_email: 'ada@shop.example', role: 'agent' } as const

const DEFAULT_PORT = 8080
