/*
 * SIGUSR2 while a front end keeps sending requests, on what `render` makes for it.
 */

import { Agent, request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort, servers, skips } from '../front-ends/support/real-server.ts'
import { renderParts } from '../front-ends/support/rendered.ts'
import { startSmallestSite } from '../front-ends/support/smallest-site.ts'
import { startLoad } from '../support/steady-load.ts'
import { openServed } from './served.ts'

const CLIENTS = 8
const PREFIX = '/service_cookie_transfer/'

describe.each(servers)('behind $name', (server) => {
  it.skipIf(skips(server))(
    'workers are replaced under load, and no request fails or is sent twice',
    async () => {
      const served = await openServed()
      const frontPort = await freePort()
      const points = [`http://localhost:${frontPort}${PREFIX}`]
      const { program, port } = await served.start({ points, workers: 2 })
      const config = { service: { url: served.upstream.origin }, widgetKey: 'env:WIDGET_KEY', points }
      const parts = renderParts(server.name, 'route', config, `127.0.0.1:${port}`)
      const frontEnd = await startSmallestSite(server, parts, points)
      onTestFinished(() => frontEnd.close())

      const agent = new Agent({ keepAlive: true })
      const outcomes: (number | string)[] = []
      let sent = 0
      const { more, stop } = startLoad(CLIENTS, async () => {
        sent += 1
        outcomes.push(await post(frontPort, `${PREFIX}load/${sent}`, agent))
      })
      await more(100)
      program.signal('SIGUSR2')
      await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)
      await more(100)
      await stop()
      agent.destroy()
      expect([...new Set(outcomes)]).toEqual([200])
      const seen = served.upstream.requests.map(({ startLine }) => startLine)
      expect(new Set(seen).size).toBe(sent)
      expect(seen.length).toBe(sent)
      program.signal('SIGTERM')
      expect(await program.ended()).toBe(0)
    },
    90_000,
  )
})

function post(port: number, path: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    request({ port, path, method: 'POST', headers: { Host: `localhost:${port}` }, agent }, (incoming) => {
      incoming.resume().once('end', () => resolve(incoming.statusCode ?? 0))
    })
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
      .end('a=1')
  })
}
