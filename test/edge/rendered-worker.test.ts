import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, type RunningServer } from '../front-ends/support/real-server.ts'
import { renderConfig } from '../front-ends/support/rendered.ts'
import { askOnce } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { skipsWorkerd, startModuleText } from './support/workerd.ts'

describe.skipIf(skipsWorkerd)('the Worker that render writes, in workerd', () => {
  let upstream: RecordingUpstream
  let worker: RunningServer
  let port: number

  beforeAll(async () => {
    upstream = await startUpstream()
    port = await freePort()
    const config = {
      service: { url: upstream.origin },
      widgetKey: 'env:WIDGET_KEY',
      points: [`http://www.shop.localhost:${port}/service_cookie_transfer/`],
      limits: { bodyBytes: 10 },
    }
    worker = await startModuleText(
      renderConfig('cloudflare-worker', 'forward', config),
      { WIDGET_KEY: 'the-key' },
      port,
    )
  })
  afterAll(async () => {
    await worker.close()
    await upstream.close()
  })

  it.each([
    ['GET', '', '', 200],
    ['GET', 'a%2Fb?q=%00', '', 200],
    ['TRACE', '', '', 405],
    ['GET', 'a%00', '', 400],
    ['GET', '..%2f', '', 400],
    ['POST', '', '0123456789', 200],
    ['POST', '', '0123456789a', 413],
  ])('answers %s %s with a body of “%s” with %i', async (method, path, body, status) => {
    const before = upstream.requests.length
    const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
    const answer = await askOnce(
      port,
      `${method} /service_cookie_transfer/${path} HTTP/1.1\r\nHost: www.shop.localhost:${port}\r\n${length}\r\n${body}`,
    )
    expect(answer.startLine).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(upstream.requests.length - before).toBe(status === 200 ? 1 : 0)
  })
})
