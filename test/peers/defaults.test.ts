import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openClient, type RawClient } from '../support/raw-client.ts'
import {
  answerOk,
  type RecordingUpstream,
  type Script,
  startUpstream,
  type UpstreamOptions,
} from '../support/recording-upstream.ts'
import { type PeerName, skipsPeer, startPeer } from './peers.ts'

const certificate = (name: string) =>
  readFileSync(new URL(`../support/certificates/${name}.pem`, import.meta.url), 'utf8')
const selfSigned = { key: certificate('self-signed.key'), cert: certificate('self-signed.cert') }

/**
 * What nginx and Caddy do by default where this proxy does something else, so that the table in SECURITY.md says what
 * was seen.
 */
interface Scene {
  readonly upstream: RecordingUpstream
  readonly client: RawClient
}

interface Hazard {
  readonly hazard: string
  readonly script?: Script
  readonly options?: UpstreamOptions
  /** What is done, and what is seen, in few words. */
  readonly look: (scene: Scene) => Promise<string>
  readonly seen: Readonly<Record<Exclude<PeerName, 'haproxy'>, string>>
}

const PATH = '/service_cookie_transfer/'
const get = (path = PATH, lines = '') => `GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n${lines}\r\n`
const raw =
  (octets: string, after: (socket: Socket) => void = () => {}): Script =>
  (_request, socket) => {
    socket.write(Buffer.from(octets, 'latin1'), () => after(socket))
  }
const statusAt = async ({ client }: Scene) => (await client.response()).startLine.split(' ')[1] ?? ''
const ending = async ({ client }: Scene) => {
  try {
    const { startLine } = await client.response()
    return /^HTTP\/1\.1 5/.test(startLine) ? 'an error' : 'looks complete'
  } catch {
    return 'visibly cut off'
  }
}

const hazards: readonly Hazard[] = [
  {
    hazard: 'another spelling of a field that the proxy owns (`X.Widget.Key`)',
    look: async (scene) => {
      scene.client.write(get(PATH, 'X_Widget_Key: forged\r\nX.Widget.Key: forged\r\n'))
      await scene.client.response()
      const [request] = scene.upstream.requests
      return request?.octets.includes('forged') === true ? 'reaches the service' : 'dropped'
    },
    seen: { nginx: 'dropped', caddy: 'reaches the service', ours: 'dropped' },
  },
  {
    hazard: 'a path with an encoded dot segment (`..%2fadmin`)',
    look: async (scene) => {
      scene.client.write(get(`${PATH}..%2fadmin`))
      const status = await statusAt(scene)
      return scene.upstream.requests.length === 0 ? status : 'forwarded'
    },
    seen: { nginx: 'forwarded', caddy: 'forwarded', ours: '400' },
  },
  {
    hazard: 'TRACE, which echoes httpOnly cookies',
    look: async (scene) => {
      scene.client.write(get().replace('GET', 'TRACE'))
      const status = await statusAt(scene)
      return scene.upstream.requests.length === 0 ? status : 'forwarded'
    },
    seen: { nginx: '405', caddy: 'forwarded', ours: '405' },
  },
  {
    hazard: 'a request that the proxy has forwarded before (`Via`)',
    look: async (scene) => {
      scene.client.write(get(PATH, 'Via: 1.1 continuation-point, 1.1 Caddy, 1.1 nginx\r\n'))
      return (await statusAt(scene)) === '508' ? '508' : 'forwarded'
    },
    seen: { nginx: 'forwarded', caddy: 'forwarded', ours: '508' },
  },
  {
    hazard: 'a service with a self-signed certificate',
    options: { tls: selfSigned },
    look: async (scene) => {
      scene.client.write(get())
      const status = await statusAt(scene)
      return scene.upstream.requests.length === 0 ? status : 'gets the cookies'
    },
    seen: { nginx: 'gets the cookies', caddy: '502', ours: '502' },
  },
  {
    hazard: 'a response that is not HTTP',
    script: raw('SSH-2.0-OpenSSH\r\nnot http at all\r\n', (socket) => socket.end()),
    look: async (scene) => {
      scene.client.write(get())
      await scene.client.received('\n')
      return scene.client.pending().startsWith('HTTP/1.1 502') ? '502' : 'relayed as it is'
    },
    seen: { nginx: 'relayed as it is', caddy: '502', ours: '502' },
  },
  {
    hazard: 'a chunked response that ends early',
    script: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', (socket) =>
      socket.end(),
    ),
    look: async (scene) => {
      scene.client.write(get())
      return ending(scene)
    },
    seen: { nginx: 'visibly cut off', caddy: 'looks complete', ours: 'visibly cut off' },
  },
  {
    hazard: 'a control character in a field of the response',
    script: raw('HTTP/1.1 200 OK\r\nX-Field: a\x01b\r\nContent-Length: 2\r\n\r\nok'),
    look: async (scene) => {
      scene.client.write(get())
      const { startLine, fields } = await scene.client.response()
      return fields.some(([, value]) => value.includes('\x01'))
        ? 'passed on'
        : (startLine.split(' ')[1] ?? '')
    },
    seen: { nginx: 'passed on', caddy: 'passed on', ours: '502' },
  },
  {
    hazard: '`Strict-Transport-Security`, `Clear-Site-Data` of the service',
    script: raw(
      'HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=1; includeSubDomains\r\nClear-Site-Data: "*"\r\nContent-Length: 2\r\n\r\nok',
    ),
    look: async (scene) => {
      scene.client.write(get())
      const { octets } = await scene.client.response()
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
      scene.client.write(get())
      const { octets, body } = await scene.client.response()
      if (body !== 'ok') return 'obeyed'
      return /x-accel-redirect/i.test(octets) ? 'passed on' : 'left out'
    },
    seen: { nginx: 'obeyed', caddy: 'passed on', ours: 'left out' },
  },
  {
    hazard: 'a response with cookies and without `Cache-Control`',
    script: raw('HTTP/1.1 200 OK\r\nSet-Cookie: sid=1\r\nContent-Length: 2\r\n\r\nok'),
    look: async (scene) => {
      scene.client.write(get())
      const { fields } = await scene.client.response()
      return fields.some(([name]) => name.toLowerCase() === 'cache-control')
        ? '`private, no-store` is added'
        : 'unchanged'
    },
    seen: { nginx: 'unchanged', caddy: 'unchanged', ours: '`private, no-store` is added' },
  },
]

const names = ['nginx', 'caddy', 'ours'] as const

describe.each(hazards)('$hazard', ({ script, options, look, seen }) => {
  for (const name of names) {
    it.skipIf(skipsPeer(name))(`${name}: ${seen[name]}`, async () => {
      const upstream = await startUpstream(script ?? answerOk, options)
      const peer = await startPeer(name, upstream)
      const client = await openClient(peer.port)
      const found = await look({ upstream, client })
      client.close()
      await peer.close()
      await upstream.close()
      expect(found).toBe(seen[name])
    })
  }
})

it('SECURITY.md shows what was seen', () => {
  const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
  const rows = hazards.map(
    ({ hazard, seen }) => `| ${hazard} | ${names.map((name) => seen[name]).join(' | ')} |`,
  )
  expect(text.split('\n').filter((line) => rows.includes(line))).toEqual(rows)
})
