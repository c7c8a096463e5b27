import { connect as connectHttp2, type Settings } from 'node:http2'
import { valuesOf } from '../../../src/http/fields.ts'
import {
  arrivesAsSent,
  arrivesFreeOf,
  arrivesWith,
  bodyArrives,
  keepsOut,
  refused,
} from '../../conformance/suite/cases/arrival-expectations.ts'
import type { Case } from '../../conformance/suite/cases/case.ts'
import { cases } from '../../conformance/suite/cases/index.ts'
import {
  happened,
  returns,
  returnsResponse,
  returnsWithout,
} from '../../conformance/suite/cases/response-expectations.ts'
import type { OriginServer } from '../../conformance/suite/origin-server.ts'
import { runCase } from '../../conformance/suite/runner.ts'
import { judgeCase } from '../../conformance/suite/suite.ts'
import { openClient, type RawClient } from '../../support/raw-client.ts'
import { AUTHORITY, KEY, PREFIX } from './started-site.ts'

/** Where a check finds one cell. */
export interface CheckPlace {
  readonly address: string
  readonly port: number
  readonly originServer: OriginServer
  /** Everything that the server has logged so far. */
  logged(): string
}

/** Returns what is wrong, or `undefined`. */
export type Check = (place: CheckPlace) => Promise<string | undefined>

const SHOP = `/shop${PREFIX}`
const OK = { status: 200, reason: 'OK', fields: [], body: 'ok', framing: 'length' } as const
const EMPTY = { ...OK, body: '' }

/** A case of the conformance suite, at the point on the cookie path if nothing else is said. */
export function conforms(which: string | Case, path = SHOP): Check {
  const row = typeof which === 'string' ? cases.find(({ id }) => id === which) : which
  if (row === undefined) throw new Error(`no case ${String(which)}`)
  return async ({ address, port, originServer }) => {
    const origin = `https://localhost:${port}`
    const run = await runCase(row, {
      place: {
        endpoint: { scheme: 'https', host: 'localhost', port },
        address,
        trust: { kind: 'only', certificates: [AUTHORITY] },
      },
      originServer,
      userAgent: 'test',
      stepLimitMs: 400,
      facts: {
        point: { url: `${origin}${path}`, origin, authority: `localhost:${port}`, path },
        pageOrigin: origin,
        root: PREFIX,
        serviceAuthorities: [`127.0.0.1:${originServer.port}`, `localhost:${originServer.port}`],
        widgetKey: KEY,
      },
    })
    const { faults } = judgeCase(row, run)
    return faults.length === 0 ? undefined : faults.map(({ seen }) => seen).join('; ')
  }
}

/** Every one of them holds. */
export function all(...checks: readonly Check[]): Check {
  return async (place) => {
    for (const check of checks) {
      const fault = await check(place)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

function toCase(row: Pick<Case, 'expect'> & Partial<Case>): Case {
  return { id: 'line', level: 'must', title: 'what a line is for', ...row }
}

/** Both points lead to the service, with our fields. */
export const bothPoints = all(conforms('fields/set', PREFIX), conforms('fields/set', SHOP))

/** A request arrives although a client says this of the hop before. */
export function arrivesDespite(name: string, value: string): Check {
  return conforms(toCase({ send: { fields: [name, value] }, expect: [arrivesAsSent] }))
}

/** What a client sends under a name stays out, in every spelling. */
export function keepsOutField(name: string, value = name === 'TE' ? 'trailers' : '192.0.2.66'): Check {
  const send = { fields: [name, value] }
  const expect = [arrivesAsSent, keepsOut(name.replaceAll('_', '-'), value)]
  // Node sends Trailer with chunks only.
  const chunked = { method: 'POST', body: 'x', framing: 'chunked' } as const
  return conforms(toCase({ send: name === 'Trailer' ? { ...send, ...chunked } : send, expect }))
}

export function hides(name: string): Check {
  return conforms(
    toCase({ response: { fields: [name, 'x'] }, expect: [returnsResponse, returnsWithout(name)] }),
  )
}

export const largeUpload = conforms(
  toCase({ send: { method: 'POST', body: 'x'.repeat(1_500_000) }, expect: [arrivesAsSent, bodyArrives] }),
)

/** One line of 12 KiB, and 36 KiB in all. */
export const largeAnswerHead = conforms(
  toCase({
    response: { fields: ['a', 'b', 'c'].flatMap((name) => ['Set-Cookie', `${name}=${'x'.repeat(12_000)}`]) },
    expect: [returnsResponse, returns('Set-Cookie')],
  }),
)

/** A response with Content-Length is streamed too. */
export const streamsKnownLength = conforms(
  toCase({
    response: { body: 'a half of it\n'.repeat(2) },
    manner: 'half-first',
    expect: [
      happened('the first half comes back while the service holds the rest', 'it waited'),
      returnsResponse,
    ],
  }),
)

/** The service can't make the front end send a page of the site. */
export const obeysNobody = conforms(
  toCase({ response: { fields: ['X-Accel-Redirect', '/shop/'] }, expect: [returnsResponse] }),
)

export const refusesDots = conforms(toCase({ send: { path: 'a/%2e%2e/b' }, expect: [refused(400, 403)] }))

/** The path has to match a point's byte for byte. */
export const refusesEncodedPrefix: Check = conforms(
  toCase({ send: { path: 'x' }, expect: [refused(404)] }),
  '/shop/service_cookie_%74ransfer/',
)

/** The front end requests nothing that the client did not request. */
export const asksForNoGzip = conforms(toCase({ expect: [arrivesAsSent, arrivesFreeOf('Accept-Encoding')] }))

/** More than the hundred that servers accept by default. */
export const manyLines = conforms(
  toCase({
    send: { fields: Array.from({ length: 150 }, (_line, at) => [`X-Line-${at}`, `${at}`]).flat() },
    expect: [arrivesAsSent, arrivesWith('X-Line-149')],
  }),
)

export const longTarget = conforms(
  toCase({ send: { path: `a?${'q'.repeat(12_000)}` }, expect: [arrivesAsSent] }),
)

/** A client can't remove the field that tells `serve` the scheme. */
export const keepsProto = arrivesDespite('Connection', 'keep-alive, X-Forwarded-Proto')

export const addsNoForwarding = conforms(
  toCase({
    expect: [
      arrivesAsSent,
      ...['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Server'].map(arrivesFreeOf),
    ],
  }),
)

export const addsAddress = conforms(
  toCase({
    expect: [
      {
        expected: 'the address of the client arrives',
        judge: ({ arrivals: [arrival] }) =>
          valuesOf(arrival?.fields ?? [], 'x-forwarded-for').join() === '' ? 'no address' : undefined,
      },
    ],
  }),
)

/** The octets of a request, and what came back; nothing after three seconds. */
export function asks(octets: (place: CheckPlace) => string, status: number): Check {
  return async (place) => {
    place.originServer.script(OK, 'at-once')
    const seen = await statusOf(place, octets(place))
    return seen === status ? undefined : `status ${seen}`
  }
}

/** The service gets the path of a target that is a whole URL. */
export const takesAbsolute: Check = async (place) => {
  const script = place.originServer.script(EMPTY, 'at-once')
  const authority = `localhost:${place.port}`
  await statusOf(place, `GET https://${authority}${SHOP}a HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  const target = script.arrivals[0]?.target
  return target === `${PREFIX}a` ? undefined : `the target ${target}`
}

/** HTTP/2 without the setting by which browsers open a WebSocket on it. */
export const announcesNoWebSocket: Check = async ({ address, port }) => {
  const session = connectHttp2(`https://${address}:${port}`, { ca: AUTHORITY, servername: 'localhost' })
  const settings = await new Promise<Settings>((resolve, reject) => {
    session.once('remoteSettings', resolve).once('error', reject)
  })
  session.destroy()
  return settings.enableConnectProtocol === true ? 'it is announced' : undefined
}

/** nginx chose the site by the URL, and its rules are not those of the host in Host. */
export const refusesOtherHost: Check = async (place) => {
  const url = `http://localhost:${place.port}${SHOP}`
  const status = await statusOf(place, `GET ${url} HTTP/1.1\r\nHost: www.shop.localhost\r\n\r\n`)
  return status === 400 ? undefined : `status ${status}`
}

/** As over HTTP/3, where nginx has no Host. */
export const answersWithoutHost = asks(() => `GET ${SHOP} HTTP/1.0\r\n\r\n`, 200)

/** The service stays silent, and the config says for how long that may be. */
export const givesUp: Check = async (place) => {
  place.originServer.script(EMPTY, 'client-leaves')
  const seen = await statusOf(place, `GET ${SHOP} HTTP/1.1\r\nHost: localhost:${place.port}\r\n\r\n`)
  return seen === 504 ? undefined : `status ${seen}`
}

/** The query of a call is in no log. */
export const logsNothing: Check = async (place) => {
  const mark = `mark-${place.address}-`
  const client = await open(place)
  const ask = async (target: string) => {
    client.write(`GET ${target} HTTP/1.1\r\nHost: localhost:${place.port}\r\nReferer: ${mark}referer\r\n\r\n`)
    return client.response()
  }
  place.originServer.script(OK, 'at-once')
  await ask(`${SHOP}?${mark}query`)
  // A line of the site's own says that everything before it has been written.
  await ask(`/${mark}site`)
  while (!place.logged().includes(`/${mark}site`)) await new Promise((resolve) => setTimeout(resolve, 5))
  client.close()
  return place.logged().includes(`${mark}query`) ? 'the query' : undefined
}

/** Nor when the service closes the connection early, which is an error of the front end's. */
export const logsNoError: Check = async (place) => {
  const mark = `fault-${place.address}-`
  const client = await open(place)
  place.originServer.script(EMPTY, 'service-leaves')
  const host = `Host: localhost:${place.port}`
  client.write(`GET ${SHOP}?${mark}query HTTP/1.1\r\n${host}\r\nReferer: ${mark}referer\r\n\r\n`)
  await client.response()
  client.close()
  return place.logged().includes(mark) ? 'the query or Referer' : undefined
}

/** The service closes the connection instead of answering a POST, which is not the first request on its connection. */
export const answersPost: Check = async (place) => {
  const client = await open(place)
  const ask = async (method: string) => {
    client.write(`${method} ${SHOP} HTTP/1.1\r\nHost: localhost:${place.port}\r\nContent-Length: 0\r\n\r\n`)
    return (await client.response().catch(() => undefined))?.startLine.split(' ')[1]
  }
  place.originServer.script(OK, 'at-once')
  const statuses = [await ask('GET')]
  place.originServer.script(OK, 'service-leaves')
  statuses.push(await ask('POST'))
  client.close()
  return statuses.join() === '200,502' ? undefined : `statuses ${statuses.join()}`
}

function open({ address, port }: CheckPlace): Promise<RawClient> {
  return openClient(port, { ca: AUTHORITY, servername: 'localhost', host: address })
}

async function statusOf(place: CheckPlace, octets: string): Promise<number | undefined> {
  const client = await open(place)
  client.write(octets)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 3_000)
  })
  const answer = await Promise.race([client.response().catch(() => undefined), late])
  clearTimeout(timer)
  client.close()
  return answer === undefined ? undefined : Number(answer.startLine.split(' ')[1])
}
