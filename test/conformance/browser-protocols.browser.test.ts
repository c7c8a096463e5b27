import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { servers, skips } from '../front-ends/support/real-server.ts'
import { KEY, PREFIX, startTypicalSite } from '../front-ends/support/started-site.ts'
import { certificateFile, SHOP } from '../front-ends/support/typical-site.ts'
import { chromiumArguments, pagesPath, skipsBrowser } from '../sandbox/support/chromium.ts'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith, startUpstream } from '../support/recording-upstream.ts'
import { valuesOf } from '../support/wire.ts'
import type { StartedPoint } from './support/started-point.ts'

interface Row {
  readonly name: string
  readonly protocol: 'h2' | 'h3'
  readonly mode: 'route' | 'forward'
  readonly isMissing: boolean
  start(serviceUrl: string): Promise<StartedPoint>
}

/** Debian's nginx, Apache and HAProxy speak no HTTP/3. */
const protocols = (name: string) => (name === 'caddy' ? (['h2', 'h3'] as const) : (['h2'] as const))

const rows: readonly Row[] = servers.flatMap((server) =>
  protocols(server.name).flatMap((protocol) =>
    (['route', 'forward'] as const).map((mode) => ({
      name: server.name,
      protocol,
      mode,
      isMissing: skips(server),
      start: (serviceUrl: string) => startTypicalSite(server, mode, serviceUrl),
    })),
  ),
)

let overHttp2: Promise<Browser> | undefined
afterAll(async () => (await overHttp2)?.close())

describe.each(rows)('Chromium, over $protocol, at $name, $mode', ({ protocol, isMissing, start }) => {
  it.skipIf(isMissing || skipsBrowser)(
    'asks the service as over HTTP/1.1',
    async () => {
      const upstream = await openForTest(
        startUpstream(
          answerWith(
            'HTTP/1.1 201 Created\r\nSet-Cookie: from=service; Path=/shop/\r\nSet-Cookie: also=this; Path=/\r\n' +
              'X-Answer: yes\r\nContent-Length: 6\r\n\r\nanswer',
          ),
        ),
      )
      const site = await openForTest(start(upstream.origin))
      const { origin, port } = new URL(site.url)
      overHttp2 ??= launch()
      const browser = await (protocol === 'h3' ? openForTest(launch(port)) : overHttp2)
      const context = await openForTest(browser.newContext())
      const page = await context.newPage()
      await page.goto(`${origin}/shop/index`)
      const seen = await page.evaluate(`(${IN_PAGE})(${JSON.stringify(site.url)})`)
      expect(seen).toEqual({
        status: 201,
        text: 'answer',
        field: 'yes',
        protocol,
        cookies: ['also=this', 'from=service'],
      })
      const [request, ...more] = upstream.requests
      expect(more).toEqual([])
      expect(request?.startLine).toBe(`POST ${PREFIX}a%2Fb?q=%20|x HTTP/1.1`)
      expect(request?.body).toBe('o'.repeat(100_000))
      const fields = request ?? { fields: [] }
      expect(valuesOf(fields, 'x-widget-key')).toEqual([KEY])
      expect(valuesOf(fields, 'x-continuation-origin')).toEqual([origin])
      expect(valuesOf(fields, 'x-custom')).toEqual(['kept'])
      // A browser may send one cookie a line here; a service that speaks HTTP/1.1 must get one line.
      expect(valuesOf(fields, 'cookie')).toEqual([
        Array.from({ length: 10 }, (_name, at) => `c${at}=${'x'.repeat(3000)}`).join('; '),
      ])
    },
    60_000,
  )
})

/** Cookies of 30 KB, then a call with a body, from a page of the site. */
const IN_PAGE = `async (point) => {
  for (let at = 0; at < 10; at += 1) document.cookie = 'c' + at + '=' + 'x'.repeat(3000) + '; path=/'
  const answer = await fetch(point + 'a%2Fb?q=%20|x', {
    method: 'POST',
    body: 'o'.repeat(100000),
    headers: { 'X-Widget-Key': 'forged', 'X-Custom': 'kept' },
  })
  return {
    status: answer.status,
    text: await answer.text(),
    field: answer.headers.get('X-Answer'),
    protocol: performance.getEntriesByType('resource').find(({ name }) => name.startsWith(point))?.nextHopProtocol,
    cookies: document.cookie.split('; ').filter((cookie) => !/^c[0-9]=/.test(cookie)).sort(),
  }
}`

/** A Chromium that trusts the certificate of the site, over QUIC too, and speaks that from the start at a port. */
function launch(quicPort?: string): Promise<Browser> {
  const { publicKey } = new X509Certificate(readFileSync(certificateFile('service', 'cert')))
  const hash = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
  return chromium.launch({
    executablePath: pagesPath,
    args: [
      ...chromiumArguments.filter((argument) => quicPort === undefined || argument !== '--disable-quic'),
      `--ignore-certificate-errors-spki-list=${hash}`,
      `--host-resolver-rules=MAP ${SHOP} 127.0.0.1`,
      ...(quicPort === undefined ? [] : ['--enable-quic', `--origin-to-force-quic-on=${SHOP}:${quicPort}`]),
    ],
  })
}
