import { connect } from 'node:http2'
import { describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { openTypicalStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { AUTHORITY, PREFIX } from './support/started-site.ts'
import { SHOP } from './support/typical-site.ts'

/*
 * Apache requests what a Link of an answer, or of a 103, preloads from the site itself, and pushes that over HTTP/2. So the
 * service would choose what is requested from the site.
 */
const LINK = 'Link: </account/sign-out>; rel=preload; as=script\r\n'
const answerWithLink = answerWith(
  `HTTP/1.1 103 Early Hints\r\n${LINK}\r\nHTTP/1.1 200 OK\r\n${LINK}Content-Length: 2\r\n\r\nok`,
)

/** The paths that are pushed with an answer. */
async function pushedWith(port: number, path: string) {
  const session = connect(`https://${SHOP}:${port}`, { ca: AUTHORITY })
  const pushed: unknown[] = []
  session.on('stream', (stream, { ':path': pushedPath }) => {
    pushed.push(pushedPath)
    stream.on('error', () => {}).resume()
  })
  const stream = session.request({ ':path': path })
  const interim: unknown[] = []
  stream.on('headers', ({ ':status': status }) => void interim.push(status))
  const fields = await new Promise<Record<string, unknown>>((resolve, reject) => {
    stream.once('response', resolve).once('error', reject).resume()
  })
  await new Promise((resolve) => stream.once('close', resolve))
  session.close()
  return { status: fields[':status'], link: fields.link, pushed, interim }
}

describe.each(servers.filter(({ name }) => name === 'apache'))('$name', (server) => {
  it.skipIf(skips(server))('forwarding by itself, pushes nothing', async () => {
    const { port } = await openForTest(openTypicalStage(server, 'forward', { script: answerWithLink }))
    expect(await pushedWith(port, `${PREFIX}a`)).toEqual({
      status: 200,
      link: undefined,
      pushed: [],
      interim: [],
    })
  })
})
