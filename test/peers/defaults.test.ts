import type { Socket } from 'node:net'
import { pemOf } from '../support/certificates/certificate.ts'
import { answerOk, type Script } from '../support/recording-upstream.ts'
import type { WireMessage } from '../support/wire.ts'
import { type Scene, testHazards } from './peers.ts'

const selfSigned = { key: pemOf('self-signed.key'), cert: pemOf('self-signed.cert') }

const PATH = '/service_cookie_transfer/'
const get = (path = PATH, lines = '') => `GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n${lines}\r\n`
const raw =
  (octets: string, after: (socket: Socket) => void = () => {}): Script =>
  (_request, socket) => {
    socket.write(Buffer.from(octets, 'latin1'), () => after(socket))
  }
const statusOf = ({ startLine }: WireMessage) => startLine.split(' ')[1] ?? ''
/** The response to a request. */
const answer = async ({ ask }: Scene, octets = get()) => (await ask(octets)).response()
const statusUnlessForwarded = async (scene: Scene, octets: string) => {
  const status = statusOf(await answer(scene, octets))
  return scene.upstream.requests.length === 0 ? status : 'forwarded'
}
const ending = async (scene: Scene) => {
  try {
    const { startLine } = await answer(scene)
    return /^HTTP\/1\.1 5/.test(startLine) ? 'an error' : 'looks complete'
  } catch {
    return 'visibly cut off'
  }
}

/** What nginx and Caddy do by default where this proxy does something else. */
testHazards(
  ['nginx', 'caddy', 'ours'],
  [
    {
      hazard: 'another spelling of a header that the proxy owns (`X.Widget.Key`)',
      look: async (scene) => {
        await answer(scene, get(PATH, 'X_Widget_Key: forged\r\nX.Widget.Key: forged\r\n'))
        const [request] = scene.upstream.requests
        return request?.octets.includes('forged') === true ? 'reaches the service' : 'dropped'
      },
      seen: { nginx: 'dropped', caddy: 'reaches the service', ours: 'dropped' },
    },
    {
      hazard: 'a path with an encoded dot segment (`..%2fadmin`)',
      look: (scene) => statusUnlessForwarded(scene, get(`${PATH}..%2fadmin`)),
      seen: { nginx: 'forwarded', caddy: 'forwarded', ours: '400' },
    },
    {
      hazard: 'TRACE, which echoes httpOnly cookies',
      look: (scene) => statusUnlessForwarded(scene, get().replace('GET', 'TRACE')),
      seen: { nginx: '405', caddy: 'forwarded', ours: '405' },
    },
    {
      hazard: 'a request that the proxy has forwarded before (`Via`)',
      look: async (scene) => {
        const via = 'Via: 1.1 continuation-point, 1.1 Caddy, 1.1 nginx\r\n'
        return statusOf(await answer(scene, get(PATH, via))) === '508' ? '508' : 'forwarded'
      },
      seen: { nginx: 'forwarded', caddy: 'forwarded', ours: '508' },
    },
    {
      hazard: 'a service with a self-signed certificate',
      options: { tls: selfSigned },
      look: async (scene) => {
        const status = statusOf(await answer(scene))
        return scene.upstream.requests.length === 0 ? status : 'gets the cookies'
      },
      seen: { nginx: 'gets the cookies', caddy: '502', ours: '502' },
    },
    {
      hazard: 'a response that is not HTTP',
      script: raw('SSH-2.0-OpenSSH\r\nnot http at all\r\n', (socket) => socket.end()),
      look: async ({ ask }) => {
        const client = await ask(get())
        await client.received('\n')
        return client.pending().startsWith('HTTP/1.1 502') ? '502' : 'relayed as it is'
      },
      seen: { nginx: 'relayed as it is', caddy: '502', ours: '502' },
    },
    {
      hazard: 'a chunked response that ends early',
      script: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', (socket) =>
        socket.end(),
      ),
      look: ending,
      seen: { nginx: 'visibly cut off', caddy: 'looks complete', ours: 'visibly cut off' },
    },
    {
      hazard: 'a control character in a header of the response',
      script: raw('HTTP/1.1 200 OK\r\nX-Field: a\x01b\r\nContent-Length: 2\r\n\r\nok'),
      look: async (scene) => {
        const response = await answer(scene)
        return response.fields.some(([, value]) => value.includes('\x01')) ? 'passed on' : statusOf(response)
      },
      seen: { nginx: 'passed on', caddy: 'passed on', ours: '502' },
    },
    {
      hazard: '`Strict-Transport-Security`, `Clear-Site-Data` of the service',
      script: raw(
        'HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=1; includeSubDomains\r\nClear-Site-Data: "*"\r\nContent-Length: 2\r\n\r\nok',
      ),
      look: async (scene) => {
        const { octets } = await answer(scene)
        return /strict-transport-security|clear-site-data/i.test(octets)
          ? 'take effect on the site'
          : 'left out'
      },
      seen: { nginx: 'take effect on the site', caddy: 'take effect on the site', ours: 'left out' },
    },
    {
      hazard: '`X-Accel-Redirect` of the service, to an internal location of the site',
      script: raw('HTTP/1.1 200 OK\r\nX-Accel-Redirect: /internal/\r\nContent-Length: 2\r\n\r\nok'),
      look: async (scene) => {
        const { octets, body } = await answer(scene)
        if (body !== 'ok') return 'obeyed'
        return /x-accel-redirect/i.test(octets) ? 'passed on' : 'left out'
      },
      seen: { nginx: 'obeyed', caddy: 'passed on', ours: 'left out' },
    },
    {
      hazard: 'a response with cookies and without `Cache-Control`',
      script: raw('HTTP/1.1 200 OK\r\nSet-Cookie: sid=1\r\nContent-Length: 2\r\n\r\nok'),
      look: async (scene) => {
        const { fields } = await answer(scene)
        return fields.some(([name]) => name.toLowerCase() === 'cache-control')
          ? '`private, no-store` is added'
          : 'unchanged'
      },
      seen: { nginx: 'unchanged', caddy: 'unchanged', ours: '`private, no-store` is added' },
    },
  ],
  answerOk,
)
