/* Node apps that speak HTTP/2, where the cookies of a browser come in parts. */

import { request } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { valuesOf } from '../../../src/http/fields.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { pemOf } from '../../support/certificates/certificate.ts'
import { WIDGET_KEY, without } from '../../support/front-ends/front-end.ts'
import { listen } from '../../support/listen.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { prefix } from '../a-config.ts'
import { liveCheck, openSandbox } from './live-check.ts'

const sandbox = await openSandbox()

type Merge = (parts: readonly string[]) => string | undefined

const joined: Merge = (parts) => parts.join('; ')

it.each<[string, boolean, Merge, readonly string[]]>([
  ['speaks HTTP/2 alone', false, joined, []],
  ['speaks HTTP/2 too', true, joined, []],
  ['speaks HTTP/2 alone and keeps the last cookie', false, (parts) => parts.at(-1), ['live/set-cookie']],
  ['speaks HTTP/2 too and keeps the last cookie', true, (parts) => parts.at(-1), ['live/set-cookie']],
  ['speaks HTTP/2 too and joins with commas', true, (parts) => parts.join(', '), ['live/set-cookie']],
])('a front end that %s', async (_what, allowHTTP1, merge, failed) => {
  const frontEnd = await openForTest(startH2FrontEnd(allowHTTP1, merge))
  const points = [`${frontEnd.origin}${prefix}`]
  sandbox.setAccount(demoAccount({ cookie_transfer_urls: points }))
  const checked = await liveCheck({ points, pages: [`${frontEnd.origin}/`], ca: [pemOf('authority.cert')] })
  // For HTTP/1.1 Node has a limit that such a server can't raise.
  expect(checked.failed.filter((id) => id !== 'live/header-size')).toEqual(failed)
  if (failed.length === 0 || !allowHTTP1) return
  expect(checked.find('live/set-cookie')?.message).toContain('over HTTP/2 does not arrive')
})

async function startH2FrontEnd(allowHTTP1: boolean, merge: Merge) {
  const [cert, key] = [pemOf('service.cert'), pemOf('service.key')]
  const service = new URL(sandbox.url)
  const forward = async (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => {
    const body = await buffer(incoming)
    const { rawHeaders, method, url, httpVersion } = incoming
    if (!url.startsWith(prefix)) {
      outgoing.writeHead(404)
      outgoing.end('<h1>The shop has no such page</h1>')
      return
    }
    const plain = rawHeaders.filter((_, at) => !rawHeaders[at - (at % 2)]?.startsWith(':'))
    const parts = valuesOf(plain, 'cookie')
    const line = httpVersion === '2.0' && parts.length > 0 ? merge(parts) : parts[0]
    const headers = [
      ...without(plain, 'host', 'cookie', 'connection', 'x-widget-key', 'x-continuation-origin'),
      ...['Host', service.host, 'X-Widget-Key', WIDGET_KEY, 'X-Continuation-Origin', origin],
      ...(line === undefined ? [] : ['Cookie', line]),
    ]
    request(
      { port: service.port, host: service.hostname, method, path: url, headers, maxHeaderSize: 131_072 },
      async (answer) => {
        const { statusCode = 0, headers: fields } = answer
        delete fields.connection
        delete fields['keep-alive']
        delete fields['transfer-encoding']
        const text = await buffer(answer)
        outgoing.writeHead(statusCode, fields)
        outgoing.end(text)
      },
    ).end(body)
  }
  const server = createSecureServer(
    { cert, key, allowHTTP1, settings: { maxHeaderListSize: 131_072 } },
    forward,
  )
  const { port, close } = await listen(server)
  const origin = `https://localhost:${port}`
  return { origin, close }
}
