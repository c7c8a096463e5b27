import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { CONTINUATION, WIDGET_KEY } from './front-ends/front-end.ts'
import { listen } from './listen.ts'

/*
 * Services that are not our stand-in. What is proven against the stand-in alone, which reports all, is half proven.
 */

interface Arrived {
  readonly host: string | undefined
  readonly method: string
  readonly target: string
  readonly hasCookie: boolean
  readonly body: string
}

/** What a service answers. It reports nothing of what arrived: only its words and its status may differ. */
export interface Service {
  readonly words: (origin: string | undefined, key: string | undefined, arrived: Arrived) => string
  /** Otherwise it has no DELETE, no page for another Host, and none but below the prefix. */
  readonly isBlind?: true
  readonly status?: (key: string | undefined, via: string | undefined, target: string) => number
  /** A method that it refuses; DELETE, unless it is blind. */
  readonly lacks?: string
  /** Set-Cookie lines, and for deep paths a redirect; `none`: neither. Otherwise it sets one cookie. */
  readonly back?: 'many' | 'none'
}

/** It says whether it knows the account and the site. */
export const talkative: Service = {
  words: (origin, key) =>
    `<p>${key === WIDGET_KEY ? 'known' : 'unknown'} account, ${SHOP.test(origin ?? '') ? 'your' : 'no'} site</p>`,
}
/** It has no page for an account that it does not know. */
export const strict: Service = { ...talkative, status: (key) => (key === WIDGET_KEY ? 200 : 404) }
/** Its page differs with all that arrives, as that of a service with an account and a history does. */
export const attentive: Service = {
  words: (_origin, _key, { method, target, hasCookie, body }) =>
    [
      hasCookie ? 'Welcome back' : 'Welcome',
      `to ${method} on ${target.replace(/[?]check=[^&]*/, '')}`,
      body === '' ? 'with nothing' : 'with something',
    ].join(' '),
}
/** It says the same whatever arrives, but has no DELETE. */
export const silent: Service = { words: () => '<p>A continuation point</p>' }
/** It says the same whatever arrives. */
export const opaque: Service = { ...silent, isBlind: true }
/** It knows no preflights. */
export const closed: Service = { ...silent, lacks: 'OPTIONS' }
/** It says the same whatever arrives, with many cookies and redirects. */
/** Has its verification page, nothing below it, and no POST with a body. */
export const sparse: Service = {
  ...talkative,
  status: (_key, _via, target) => (/fer\/[^?]|-body/.test(target) ? 404 : 200),
}

export const lavish: Service = { ...opaque, back: 'many' }
/** It says the same whatever arrives, without a cookie. */
export const austere: Service = { ...opaque, back: 'none' }
/** It never says the same. */
export const restless: Service = { words: () => `<p>${WORDS.next().value}</p>` }
/** Its page has the boxes of a verification page. */
export const marked: Service = {
  words: (origin, key) =>
    [
      ['forwarded', origin ?? key],
      ['origin', SHOP.test(origin ?? '')],
      ['widget-key', key === WIDGET_KEY],
      ['allowed', true],
    ]
      .map(
        ([check, good]) =>
          `<div class="box" data-check="${check}" data-outcome="${good ? 'pass' : 'fail'}">x</div>`,
      )
      .join(''),
}

export interface RunningService {
  readonly url: string
  close(): Promise<void>
}

export async function startService({
  words,
  isBlind,
  lacks = isBlind ? undefined : 'DELETE',
  status = () => 200,
  back,
}: Service): Promise<RunningService> {
  const server = createServer(
    { maxHeaderSize: 128 * 1024 },
    async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const { headers, method = '', url: target = '' } = incoming
      const { host } = headers
      const arrived = {
        host,
        method,
        target,
        hasCookie: headers.cookie !== undefined,
        body: await text(incoming),
      }
      const key = headers['x-widget-key']?.toString()
      const body = words(headers['x-continuation-origin']?.toString(), key, arrived)
      const own = `127.0.0.1:${port}`
      const code =
        isBlind || (host === own && target.startsWith(CONTINUATION)) ? status(key, headers.via, target) : 421
      const answered = method === lacks ? 405 : code
      const isMoved = back === 'many' && method === 'GET' && target.includes('/check/')
      const cookies = back === 'many' ? MANY : back === 'none' ? [] : [`seen=${Math.random()}; Path=/`]
      outgoing.writeHead(isMoved ? 302 : answered, [
        ...(code === 429 ? ['Retry-After', '1'] : []),
        ...['Content-Type', 'text/html; charset=utf-8'],
        ...(answered === 404 ? ['Cache-Control', 'no-store'] : []),
        ...cookies.flatMap((line) => ['Set-Cookie', line]),
        ...(isMoved ? ['Location', `http://${own}${CONTINUATION}next`] : []),
        ...['Content-Length', String(Buffer.byteLength(body))],
        ...(SITES.test(headers.origin ?? '') ? ['Access-Control-Allow-Origin', headers.origin ?? ''] : []),
      ])
      outgoing.end(body)
    },
  )
  const { port, close } = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close }
}

const MANY = [
  'sid=1; Path=/; HttpOnly; SameSite=Lax',
  'twice=2; Path=/; Expires=Fri, 31 Dec 2049 23:59:59 GMT',
  'twice=3; Path=/shop',
  'id=0; Path=/',
  'wide=4; Domain=shop.localhost; Path=/',
]

const WORDS: Iterator<string, never> = (function* () {
  for (let letters = 'a'; ; letters += 'b ') yield letters
})()

const SHOP = /^http:\/\/www\.shop\.localhost:\d+$/
const SITES = /^http:\/\/(?:[a-z]+\.)*shop\.localhost:\d+$/
