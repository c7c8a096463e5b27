import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '../api/index.ts'
import { openPoints } from '../index.ts'
import { type FindPage, startSandbox } from '../sandbox/sandbox.ts'
import { openBreakage } from '../sandbox/shop/breakage.ts'
import { openShop, SERVICE_HOST, SHOP_HOST, shopPoints } from '../sandbox/shop/shop.ts'
import { shopScopes } from '../sandbox/shop/shop-cookies.ts'
import { demoAccount } from '../sandbox/state/company.ts'
import { DEFAULT_PREFIX } from '../sandbox/state/sandbox-state.ts'
import type { Program } from '../text/typed-command.ts'
import { parseArguments } from './arguments.ts'
import { type Command, defineCommand, findPrefixFault, prefixOption } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refusePort } from './refuse.ts'

export const command = defineCommand({
  details: `Starts, on loopback only: a small shop on http://www.shop.localhost with a stand-in of
the widget, the proxy on its two continuation points, and a stand-in for the service.
Customer and agent each have a window on the same session. A button in the shop breaks a
point on purpose, and shows its red box and the report of check.`,
  options: {
    port: { value: 'N', isPort: true, summary: 'port of the demo site (default: 8080, or a free one)' },
    prefix: prefixOption,
  },
  async run({ values: { port, prefix } }, io) {
    const fault = findPrefixFault(prefix)
    if (fault !== undefined) return { fault }
    let demo: Demo
    try {
      demo = await startDemo(checkWith(io), { port, prefix })
    } catch (error) {
      return refusePort(error, `the demo can't open port ${port ?? DEFAULT_PORT}`, '--port')
    }
    io.stdout(welcome(demo, io.program))
    await untilStopped(io)
    await demo.close()
    return 'done'
  },
})

/** Runs `check` on a point without environment and files, and returns what it prints. */
export function checkWith(io: Io): Check {
  return async (url, prefix) => {
    const printed: string[] = []
    const { command }: { readonly command: Command } = await import('./check.ts')
    const parsed = parseArguments('check', [url, '--prefix', prefix, '--color', 'never'], command)
    const apart: Io = {
      ...io,
      program: 'npx continuation-point',
      env: {},
      nodeFlags: [],
      stdoutColumns: 96,
      stderrColumns: undefined,
      stdout: (text) => void printed.push(text),
      stderr: () => {},
      readFile: () => Promise.reject(Object.assign(new Error('There is no file here'), { code: 'ENOENT' })),
    }
    if (parsed.kind === 'arguments') await command.run(parsed.args, apart)
    return printed.join('').trimEnd()
  }
}

/** Runs `check` on a point whose path ends with this prefix, and returns what it prints. */
type Check = (url: string, prefix: string) => Promise<string>

type Demo = Awaited<ReturnType<typeof startDemo>>

interface DemoOptions {
  readonly port?: number | undefined
  readonly prefix?: string | undefined
  readonly widgetKey?: string
}

/**
 * Starts the shop and the stand-in service, with the real proxy between them.
 *
 * @param port the shop's port; by default 8080, or a free one if that is in use
 * @param widgetKey the proxy's key; the stand-in accepts `demo-widget-key`
 * @throws Node's listen error if the given port can't be opened
 */
export async function startDemo(
  check: Check,
  { port, prefix = DEFAULT_PREFIX, widgetKey = 'demo-widget-key' }: DemoOptions,
) {
  let findPage: FindPage = () => undefined
  const sandbox = await startSandbox({
    authorities: [SERVICE_HOST],
    prefix,
    seed: { agents: [AGENT] },
    findPage: (startUrl) => findPage(startUrl),
  })
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_OCTETS })
  try {
    await listenOn(server, port)
  } catch (error) {
    await sandbox.close()
    throw error
  }
  const sitePort = (server.address() as AddressInfo).port
  const pointUrls = shopPoints(sitePort, prefix)
  const [firstUrl = '', ...otherUrls] = pointUrls
  const openWith = (firstKey: string) =>
    openPoints({
      service: { url: sandbox.url, prefix },
      widgetKey,
      points: [{ url: firstUrl, widgetKey: firstKey }, ...otherUrls],
    })
  let points = await openWith(widgetKey)
  const breakage = openBreakage(
    firstUrl,
    () => check(firstUrl, prefix),
    async (wrongKey) => {
      const before = points
      points = await openWith(wrongKey ?? widgetKey)
      await before.close()
    },
  )
  const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: sandbox.account.apiKey })
  const { agent_token: agentToken } = await client.agents.createAccessToken({ agent_id: AGENT.agent_id })
  const shop = openShop({
    port: sitePort,
    points: pointUrls,
    servicePort: sandbox.port,
    agentToken,
    breakage,
  })
  findPage = shop.findPage
  sandbox.setAccount(
    demoAccount({
      cookie_transfer_urls: pointUrls,
      cookie_transfer_scopes: shopScopes(SHOP_HOST),
      enable_cookie_backtransfer: true,
    }),
  )
  server.on('request', (incoming, outgoing) =>
    points.listener(incoming, outgoing, () => shop.listener(incoming, outgoing)),
  )
  return {
    /** `http://www.shop.localhost:PORT`. */
    siteOrigin: shop.origin,
    pointUrls,
    /** The stand-in service, `http://127.0.0.1:PORT`. */
    serviceUrl: sandbox.url,
    /** Where the demo's agent joins a session by its PIN. */
    joinUrl: `http://${SERVICE_HOST}:${sandbox.port}/join?agent_token=${agentToken}`,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await Promise.all([points.close(), sandbox.close()])
    },
  }
}

async function listenOn(server: Server, port: number | undefined): Promise<void> {
  try {
    await once(server.listen(port ?? DEFAULT_PORT, '127.0.0.1'), 'listening')
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await once(server.listen(0, '127.0.0.1'), 'listening')
  }
}

function welcome({ siteOrigin, pointUrls, serviceUrl, joinUrl }: Demo, program: Program): string {
  const [root = '', checkout = ''] = pointUrls
  return `A shop with continuation points is running.

  Open the shop, start a session ${siteOrigin}/
  Join it as the agent, by PIN   ${joinUrl}
  Verify its point on /          ${root}
  Verify the one on /checkout    ${checkout}
  Rehearse it as your own site   ${program} rehearse ${siteOrigin}/ ${siteOrigin}/checkout

Real: the proxy between the shop's URLs and the service, the same as in serve.
Stand-ins: the shop, the widget in it, and the service at ${serviceUrl}.
Nothing leaves this machine.

Stop with Ctrl-C.
`
}

const AGENT = { agent_id: 1, agent_name: 'Ada', agent_email: 'ada@shop.example', role: 'agent' } as const

const HEADER_LIMIT_OCTETS = 65_536

const DEFAULT_PORT = 8080
