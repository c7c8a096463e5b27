/*
 * SIGUSR2 while a front end keeps sending requests, on what `render` makes for it.
 */

import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort, servers, skips } from '../front-ends/support/real-server.ts'
import { renderParts } from '../front-ends/support/rendered.ts'
import { startSmallestSite } from '../front-ends/support/smallest-site.ts'
import { openServed } from '../support/served.ts'
import { startPosting } from '../support/steady-posts.ts'

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

      const { more, stop } = startPosting({ port: frontPort, host: `localhost:${frontPort}` })
      await more(100)
      program.signal('SIGUSR2')
      await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)
      await more(100)
      await stop(served.upstream)
      program.signal('SIGTERM')
      expect(await program.ended()).toBe(0)
    },
    90_000,
  )
})
