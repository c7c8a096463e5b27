import { describe, expect, it } from 'vitest'
import { listenTls, pemOf } from '../support/certificates/certificate.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { expectFault, type Fault, writeThen } from './fault.ts'
import { expectHealthy, get, openScene, receive } from './scene.ts'
import { secure } from './secure.ts'

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'

/** What the service wrote before it closed the connection. */
const BEFORE_THE_HEAD: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['one octet', 'H'],
  ['part of the status line', 'HTTP/1.1 20'],
  ['the status line', 'HTTP/1.1 200 OK\r\n'],
  ['half a field line', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['all but the last octet of the head', LENGTH.slice(0, -1)],
  ['an informational head', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['half an informational head', 'HTTP/1.1 100 Con'],
]

const AFTER_THE_HEAD: readonly (readonly [string, string])[] = [
  ['Content-Length: the head', LENGTH],
  ['Content-Length: all but one octet', `${LENGTH}012345678`],
  ['Content-Length and close', `${CLOSE.slice(0, -2)}Content-Length: 10\r\n\r\n01234`],
  ['chunked and close', `${CLOSE.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`],
  ['chunked: the head', CHUNKED],
  ['chunked: half a size line', `${CHUNKED}5`],
  ['chunked: half a chunk', `${CHUNKED}5\r\nab`],
  ['chunked: a chunk without its end', `${CHUNKED}5\r\nabcde`],
  ['chunked: a whole chunk', `${CHUNKED}5\r\nabcde\r\n`],
  ['chunked: the last chunk without the empty line', `${CHUNKED}5\r\nabcde\r\n0\r\n`],
]

/** What ends by closing is complete then, but not if the connection is reset. */
const CLOSE_DELIMITED: typeof AFTER_THE_HEAD = [
  ['close-delimited: the head', CLOSE],
  ['close-delimited: some octets', `${CLOSE}abc`],
]

const ENDINGS = ['fin', 'rst'] as const

describe('a response that is cut off before its head is complete becomes a 502', () => {
  it.each(
    ENDINGS.flatMap((ending) =>
      BEFORE_THE_HEAD.map(([what, octets]) => ({
        name: `${what}, then ${ending}`,
        script: writeThen(octets, ending),
        status: 502,
        code: octets === '' ? 'upstream-reset' : 'upstream-truncated',
      })),
    ),
  )('$name', expectFault)
})

describe('a response that is cut off after its head breaks the client’s connection', () => {
  const rows = (['1.1', '1.0'] as const).flatMap((version) =>
    ENDINGS.flatMap((ending) =>
      [...AFTER_THE_HEAD, ...(ending === 'rst' ? CLOSE_DELIMITED : [])].map(
        ([what, octets]): Fault => ({
          name: `HTTP/${version}, ${what}, then ${ending}`,
          request: get({ version }),
          script: writeThen(octets, ending),
          status: 200,
          end: 'broken',
          outcome: 'upstream-truncated',
        }),
      ),
    ),
  )
  it.each(rows)('$name', expectFault)
})

describe('a response that its service ends by closing goes on as one that ends by closing', () => {
  it.each([
    ['over TCP', {}, 'end'],
    ['over TLS', secure('service'), 'end'],
    ['over TLS, without close_notify', secure('service'), 'destroy'],
  ] as const)('%s', async (_what, options, ending) => {
    const scene = await openScene((_request, socket) => {
      socket.write(`${CLOSE}abc`, () => setImmediate(() => socket[ending]()))
    }, options)
    const client = await scene.ask(get())
    expect(await client.ended()).toBe('end')
    expect(client.pending()).toMatch(
      /^HTTP\/1\.1 200 OK\r\n(?:(?!Transfer-Encoding).*\r\n)*Connection: close\r\n\r\nabc$/,
    )
    expect(scene.proxy.records).toMatchObject([{ outcome: 'ok', code: 'ENDED_BY_CLOSE' }])
    await expectHealthy(scene)
  })
})

describe('over TLS', () => {
  it.each(['1.1', '1.0'] as const)(
    'a response that is cut off ends the client’s connection, HTTP/%s',
    async (version) => {
      const scene = await openScene(writeThen(`${LENGTH}abc`, 'fin'), {
        config: {
          points: [`https://${POINT_HOST}/service_cookie_transfer/`],
          listen: { tls: listenTls('service') },
        },
      })
      const tls = { ca: pemOf('authority.cert'), servername: 'localhost' }
      for (let turn = 0; turn < 2; turn += 1) {
        const client = await scene.ask(get({ version }), tls)
        expect(await receive(client)).toMatchObject({ status: 200, end: 'broken' })
      }
      await scene.proxy.recorded(2)
      expect(scene.proxy.records.map(({ outcome }) => outcome)).toEqual([
        'upstream-truncated',
        'upstream-truncated',
      ])
    },
  )
})
