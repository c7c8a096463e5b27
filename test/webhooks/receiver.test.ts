import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import {
  createWebhookReceiver,
  type DocumentedEvent,
  memorySeenEvents,
  type OtherEvent,
  Secret,
  type WebhookError,
  type WebhookReceiver,
  type WebhookReceiverSettings,
} from '../../src/webhooks/index.ts'
import { session } from '../api/support/samples.ts'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'

const SECRET = 'marked-secret-0123456789'
const MARK = 'marked-body-4711'
const event = { category: 'session.started', session, company_id: 9, webhook_id: 3 }
const json = { 'content-type': 'application/json' }

function listen(settings: Partial<WebhookReceiverSettings> = {}) {
  const events: DocumentedEvent[] = []
  const errors: { readonly error: WebhookError; readonly event: DocumentedEvent | OtherEvent | undefined }[] =
    []
  const waiting: ((error: WebhookError) => void)[] = []
  const receiver = createWebhookReceiver({
    secret: SECRET,
    onEvent: (each) => void events.push(each),
    onError: (error, each) => {
      errors.push({ error, event: each })
      waiting.shift()?.(error)
    },
    ...settings,
  })
  const nextError = () => new Promise<WebhookError>((resolve) => waiting.push(resolve))
  return { receiver, events, errors, nextError }
}

const post = (url: string, body: unknown, init: RequestInit = {}) =>
  fetch(`${url}?secret=${SECRET}`, {
    method: 'POST',
    headers: json,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })

const toRequest = (body: unknown, init: RequestInit = {}) =>
  new Request(`https://hooks.example.com/?secret=${SECRET}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(body),
    ...init,
  })

/** To a receiver in this process, with no socket between. */
const deliver = (receiver: WebhookReceiver, body: unknown) => receiver.fetch(toRequest(body))

/** The same, and everything that comes of it. */
async function settle(receiver: WebhookReceiver, body: unknown): Promise<number> {
  const { status } = await deliver(receiver, body)
  await receiver.settled()
  return status
}

/** A delivery whose body does not arrive. */
const half = `POST /hooks?secret=${SECRET} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`

/** How a function of the caller's may fail. */
const failures = [
  ['throws', (error: Error) => () => raise(error)],
  ['rejects', (error: Error) => () => Promise.reject(error)],
] as const

afterEach(() => vi.useRealTimers())

/** What a server listens with, for each way in. */
const ways: readonly (readonly [name: string, (receiver: WebhookReceiver) => RequestListener])[] = [
  ['node:http', ({ listener }) => listener],
  ['Hono', ({ hono }) => getRequestListener(new Hono().all('/hooks', hono).fetch)],
  ['fetch', ({ fetch }) => getRequestListener((request) => fetch(request))],
]

describe.each(ways)('a receiver behind %s', (_name, toListener) => {
  const open = async (settings: Partial<WebhookReceiverSettings> = {}) => {
    const heard = listen(settings)
    const port = await listenForTest(createServer(toListener(heard.receiver)))
    return { ...heard, port, url: `http://127.0.0.1:${port}/hooks` }
  }

  it('accepts an event and passes it on, typed', async () => {
    const { url, receiver, events, errors } = await open()
    const answer = await post(url, event)
    expect([answer.status, await answer.text()]).toEqual([202, ''])
    await receiver.settled()
    expect(events).toEqual([event])
    expect(errors).toEqual([])
  })

  it('answers before the handler is done', async () => {
    const { finished, finish } = gate()
    const order: string[] = []
    const { url, receiver } = await open({
      onEvent: async () => {
        await finished
        order.push('handled')
      },
    })
    expect((await post(url, event)).status).toBe(202)
    order.push('answered')
    finish()
    await receiver.settled()
    expect(order).toEqual(['answered', 'handled'])
  })

  it.each<[string, number, (url: string) => Promise<Response>]>([
    ['secret', 403, (url) => fetch(url, { method: 'POST', headers: json, body: MARK })],
    ['secret', 403, (url) => fetch(`${url}?secret=${MARK}`, { method: 'GET' })],
    ['secret', 403, (url) => fetch(`${url}?secret=${SECRET}&secret=${SECRET}`, { method: 'POST' })],
    ['secret', 403, (url) => fetch(`${url}?secret=${SECRET}x`, { method: 'POST' })],
    ['secret', 403, (url) => fetch(`${url}?secret=`, { method: 'POST' })],
    ['method', 405, (url) => fetch(`${url}?secret=${SECRET}`)],
    ['method', 405, (url) => post(url, event, { method: 'PUT' })],
    ['content-type', 415, (url) => post(url, event, { headers: { 'content-type': 'text/plain' } })],
    ['content-type', 415, (url) => post(url, event, { headers: { ...json, 'content-encoding': 'gzip' } })],
    ['json', 400, (url) => post(url, `{"${MARK}`)],
    ['json', 400, (url) => post(url, '')],
    ['json', 400, (url) => post(url, '', { body: Uint8Array.of(0x22, 0xff, 0x22) })],
    ['malformed', 422, (url) => post(url, [MARK])],
    ['malformed', 422, (url) => post(url, { session, [MARK]: 1 })],
    ['malformed', 422, (url) => post(url, { category: 'session.started', session: { session_id: [MARK] } })],
    ['unknown-event', 422, (url) => post(url, { category: 'session.ended', session, [MARK]: 1 })],
    ['too-large', 413, (url) => post(url, { ...event, [MARK]: 'x'.repeat(3000) })],
    ['too-large', 413, (url) => post(url, '', { body: endless(), duplex: 'half' } as RequestInit)],
  ])('refuses an invalid call: %s (%i), and shows nothing of it', async (kind, status, send) => {
    const { url, errors, events, nextError } = await open({ limitBytes: 3000 })
    const told = nextError()
    const answer = await send(url)
    const error = await told
    expect([error.kind, error.status, answer.status]).toEqual([kind, status, status])
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
    expect(answer.headers.get('content-type')).toMatch('application/problem+json')
    const shown = `${await answer.text()} ${JSON.stringify([...answer.headers])} ${inspect(errors.map((each) => each.error))}`
    expect(shown).not.toMatch(/marked-/)
    expect(events).toEqual([])
  })

  it('gives up on a body that does not arrive', async () => {
    const { port, nextError } = await open({ timeoutMs: 20 })
    const told = nextError()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(half)
    const head = await new Promise<string>((resolve) =>
      socket.once('data', (octets) => resolve(String(octets))),
    )
    expect(head).toMatch(/^HTTP\/1\.1 408 /)
    expect((await told).kind).toBe('slow')
  })

  it('limits what a refused sender can send', async () => {
    const { port } = await open({ timeoutMs: 20 })
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    // The connection may end in a reset.
    socket.on('error', () => {})
    socket.write('POST /hooks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    let answer = ''
    socket.on('data', (octets) => {
      answer += String(octets)
    })
    const dripping = setInterval(() => socket.write('1\r\nx\r\n'), 5)
    onTestFinished(() => clearInterval(dripping))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('says when the sender leaves', async () => {
    const { port, nextError, events } = await open()
    const told = nextError()
    connect(port, '127.0.0.1').end(half)
    expect((await told).kind).toBe('aborted')
    expect(events).toEqual([])
  })
})

describe('events', () => {
  it('that are delivered again are accepted and not passed on', async () => {
    const { receiver, events } = listen()
    const again = Array.from({ length: 20 }, (_, index) =>
      deliver(receiver, { ...event, sent_at: `${index}` }),
    )
    expect(new Set((await Promise.all(again)).map(({ status }) => status))).toEqual(new Set([202]))
    await receiver.settled()
    await deliver(receiver, event)
    await settle(receiver, { ...event, session: { ...session, session_id: 'another' } })
    expect(events.map((each) => each.session.session_id)).toEqual([session.session_id, 'another'])
  })

  it('of other categories go to onOther, each body once', async () => {
    const others: OtherEvent[] = []
    const { receiver, errors } = listen({ onOther: (each) => void others.push(each) })
    for (const number of [1, 2, 1]) await deliver(receiver, { category: 'session.ended', number })
    await receiver.settled()
    expect(others.map(({ number }) => number).toSorted()).toEqual([1, 2])
    expect(errors).toEqual([])
  })

  it('may have another form, which read converts', async () => {
    const read = (body: unknown) => ({
      category: 'session.started',
      session: (body as { data: unknown }).data,
    })
    const { receiver, events, nextError } = listen({ read })
    await settle(receiver, { data: session })
    expect(events.map((each) => each.session)).toEqual([session])
    const told = nextError()
    expect((await deliver(receiver, null)).status).toBe(422)
    expect((await told).kind).toBe('malformed')
  })

  it('keep undocumented fields', async () => {
    const { receiver, events } = listen()
    await settle(receiver, { ...event, session: { ...session, of_tomorrow: 1 }, also: [2] })
    expect(events).toMatchObject([{ session: { of_tomorrow: 1 }, also: [2] }])
  })

  it('that were refused are passed to onError', async () => {
    const { receiver, errors, nextError } = listen()
    const told = nextError()
    await deliver(receiver, { category: 'session.ended', session })
    expect((await told).category).toBe('session.ended')
    expect(errors).toMatchObject([{ event: { category: 'session.ended', session } }])
  })
})

describe('failures after the answer', () => {
  it.each(failures)('a handler that %s is reported, with its event', async (_how, fail) => {
    const { receiver, errors } = listen({ onEvent: fail(new Error('no team')) })
    expect(await settle(receiver, event)).toBe(202)
    const category = 'session.started'
    const error = { kind: 'handler', status: undefined, category, cause: { message: 'no team' } }
    expect(errors).toMatchObject([{ error, event }])
  })

  it.each(failures)('a store that %s is reported, and loses no event', async (_how, fail) => {
    const { receiver, errors, events } = listen({ seen: { claim: fail(new Error('no store')) } })
    await settle(receiver, event)
    expect(errors).toMatchObject([{ error: { kind: 'store', cause: { message: 'no store' } } }])
    expect(events).toEqual([event])
  })

  it('a store that never answers is abandoned', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { receiver, errors, events } = listen({ seen: { claim: () => new Promise(() => {}) } })
    const answered = deliver(receiver, event)
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000)
      expect(events).toEqual([event])
    })
    expect((await answered).status).toBe(202)
    expect(errors.map(({ error }) => error.kind)).toEqual(['store'])
  })

  it('a store that fails loses no event, even if onError never returns', async () => {
    const { receiver, events } = listen({
      seen: { claim: () => raise(new Error('down')) },
      onError: () => new Promise(() => {}),
    })
    await deliver(receiver, event)
    await vi.waitFor(() => expect(events).toHaveLength(1))
  })

  it('onError may fail too', async () => {
    const { receiver, events } = listen({
      onError: () => Promise.reject(new Error('no log')),
      seen: { claim: () => Promise.reject(new Error('no store')) },
    })
    await settle(receiver, event)
    expect(events).toEqual([event])
  })

  it('too many events in progress are answered 503, and none is lost', async () => {
    const { finished, finish } = gate()
    const { receiver, errors } = listen({ limitEvents: 1, onEvent: () => finished })
    expect((await deliver(receiver, event)).status).toBe(202)
    const another = { ...event, session: { ...session, session_id: 'another' } }
    const answer = await deliver(receiver, another)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    finish()
    await receiver.settled()
    await vi.waitFor(() => expect(errors).toMatchObject([{ error: { kind: 'busy' }, event: another }]))
  })
})

describe('a receiver', () => {
  it('accepts the new and the old secret during a change', async () => {
    const { receiver, events } = listen({ secret: [new Secret('another-secret-0123456789'), SECRET] })
    await settle(receiver, event)
    expect(events).toHaveLength(1)
  })

  it('passes work that outlasts the answer to waitUntil of a Worker', async () => {
    const { receiver, events } = listen()
    const work: Promise<unknown>[] = []
    const answer = await receiver.fetch(toRequest(event), {}, { waitUntil: (each) => void work.push(each) })
    expect([answer.status, events.length, work.length]).toEqual([202, 0, 1])
    await Promise.all(work)
    expect(events).toEqual([event])
  })

  it.each(failures)(
    'accepts the event of a runtime whose waitUntil %s, and reports it',
    async (_how, fail) => {
      const { receiver, events, nextError } = listen()
      const told = nextError()
      const waitUntil = fail(new TypeError('Illegal invocation'))
      expect((await receiver.fetch(toRequest(event), {}, { waitUntil })).status).toBe(202)
      const error = { kind: 'wait-until', status: undefined, cause: expect.any(TypeError) }
      expect(await told).toMatchObject(error)
      await receiver.settled()
      expect(events).toEqual([event])
    },
  )

  it('says when a parser took the body before it', async () => {
    const { receiver, nextError } = listen()
    const request = toRequest({})
    await request.text()
    const told = nextError()
    expect((await receiver.fetch(request)).status).toBe(500)
    expect((await told).message).toMatch(/ahead of every body parser/)
  })

  it('says so while other code still reads it', async () => {
    const { receiver, nextError } = listen()
    const request = toRequest(event)
    const reader = request.body?.getReader()
    const error = nextError()
    expect((await receiver.fetch(request)).status).toBe(500)
    expect((await error).kind).toBe('taken')
    reader?.releaseLock()
  })

  it('says so too behind node:http', async () => {
    const { receiver, nextError } = listen()
    const server = createServer(async (incoming, outgoing) => {
      await incoming.setEncoding('utf8').toArray()
      receiver.listener(incoming, outgoing)
    })
    const port = await listenForTest(server)
    const told = nextError()
    expect((await post(`http://127.0.0.1:${port}/hooks`, event)).status).toBe(500)
    expect((await told).kind).toBe('taken')
  })

  it.each<[string, Partial<WebhookReceiverSettings>, typeof TypeError | typeof RangeError]>([
    ['no secret', { secret: '' }, RangeError],
    ['a short secret', { secret: 'fifteen-letters' }, RangeError],
    ['no secret of several', { secret: [] }, RangeError],
    ['a secret that is not a text', { secret: 7 as unknown as string }, TypeError],
    ['a limit of 0', { limitBytes: 0 }, RangeError],
    ['a time of half a millisecond', { timeoutMs: 0.5 }, RangeError],
  ])('refuses %s', (_what, settings, type) => {
    expect(() => listen(settings)).toThrow(type)
  })

  it('forgets the oldest events first', async () => {
    const seen = memorySeenEvents({ limit: 2 })
    const claimed = ['a', 'b', 'a', 'c', 'b', 'a'].filter((key) => seen.claim(key))
    expect(claimed).toEqual(['a', 'b', 'c', 'a'])
    expect(() => memorySeenEvents({ limit: 0 })).toThrow(RangeError)
  })
})

it('accepts events from the stand-in', async () => {
  const sandbox = await openForTest(startSandbox({ rateLimit: 'off' }))
  const { receiver, events } = listen()
  const port = await listenForTest(createServer(receiver.listener))
  const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'demo-api-key' })
  const url = `http://127.0.0.1:${port}/?secret=${SECRET}`
  await client.webhooks.create({ url, category: 'session.started', enabled: true, ssl_verification: true })
  const { session_id } = await client.sessions.create({ url: 'https://www.example.com/' })
  await fetch(`${sandbox.url}/_sandbox/deliveries`)
  await receiver.settled()
  expect(events).toMatchObject([{ category: 'session.started', session: { session_id } }])
})

/** More than any limit, in pieces without a length. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(MARK.repeat(100)))
    },
  })
}

function raise(error: Error): never {
  throw error
}

function gate() {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { finished, finish: () => finish() }
}

it('a body in pieces of one octet takes little more memory than its octets', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const heapBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const { receiver, nextError } = listen()
  const pieces = 200_000
  let grownBytes = 0
  let given = 0
  const before = heapBytes()
  const body = new ReadableStream({
    pull: (controller) => {
      given += 1
      if (given === pieces) grownBytes = heapBytes() - before
      if (given === pieces) controller.close()
      else controller.enqueue(Uint8Array.of(0x20))
    },
  })
  const told = nextError()
  await receiver.fetch(toRequest('', { body, duplex: 'half' } as RequestInit))
  expect((await told).kind).toBe('json')
  expect(grownBytes).toBeLessThan(10_000_000)
})
