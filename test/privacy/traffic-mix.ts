import type { Script } from '../support/recording-upstream.ts'
import { POINT_HOST } from '../support/start-proxy.ts'

/** Secrets that must not appear outside the exchange. Each place has its own suffix, so that a leak names its source. */
export const MARKER = 'mArKeR7f3a'

/** Octets of a request, or of what a client sends instead of one. */
export interface MixRow {
  readonly name: string
  readonly octets: string
  /** `leaves`: the client goes away when the service has the request. */
  readonly behaviour?: 'leaves'
}

const prefix = '/service_cookie_transfer/'
const secrets =
  `Cookie: sid=${MARKER}-cookie; other="${MARKER}-quoted"\r\n` +
  `Authorization: Bearer ${MARKER}-authorization\r\n` +
  `X-Widget-Key: ${MARKER}-widget-key\r\nX-Api-Key: ${MARKER}-api-key\r\n` +
  `Referer: https://${POINT_HOST}/?${MARKER}-referer\r\nUser-Agent: ${MARKER}-agent\r\n`
const body = `{"field":"${MARKER}-body"}`

function ask(path: string, { method = 'GET', host = POINT_HOST, lines = '', end = '\r\n' } = {}): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${secrets}${lines}${end}`
}

function asked(word: string, parts?: Parameters<typeof ask>[1]): string {
  return ask(`${prefix}${word}/${MARKER}-path?${MARKER}-query=1`, parts)
}

/** Every way through the proxy, each with secrets. */
export const REQUESTS: readonly MixRow[] = [
  { name: 'a plain request', octets: asked('ok') },
  { name: 'a page', octets: asked('ok', { lines: 'Accept: text/html\r\n' }) },
  {
    name: 'an upload',
    octets: asked('ok', { method: 'POST', end: `Content-Length: ${body.length}\r\n\r\n${body}` }),
  },
  {
    name: 'a chunked upload',
    octets: asked('ok', {
      method: 'PUT',
      end: `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Trailer: ${MARKER}-trailer\r\n\r\n`,
    }),
  },
  { name: 'cookies and a redirect of the service', octets: asked('redirect') },
  { name: 'an odd method', octets: asked('ok', { method: 'PURGE' }) },
  { name: 'HEAD', octets: asked('ok', { method: 'HEAD' }) },
  { name: 'a path without the last slash', octets: ask(`/service_cookie_transfer?${MARKER}-query`) },
  { name: 'no point', octets: ask(`/${MARKER}-other?${MARKER}-query`) },
  { name: 'no point, as a page', octets: ask(`/${MARKER}-other`, { lines: 'Accept: text/html\r\n' }) },
  { name: 'another authority', octets: ask(prefix, { host: `${MARKER}-host.example.com` }) },
  { name: 'a bad Host', octets: ask(prefix, { host: `${MARKER}-host/` }) },
  { name: 'a dot segment', octets: ask(`${prefix}../${MARKER}-path`) },
  { name: 'an odd target', octets: ask(`${MARKER}-target`) },
  { name: 'absolute form for another host', octets: ask(`http://${MARKER}-authority.example.com/`) },
  { name: 'TRACE', octets: asked('ok', { method: 'TRACE' }) },
  { name: 'CONNECT', octets: ask(`${MARKER}-connect.example.com:443`, { method: 'CONNECT' }) },
  { name: 'an expectation', octets: asked('ok', { lines: `Expect: ${MARKER}-expectation\r\n` }) },
  { name: 'a coding', octets: asked('ok', { lines: `Transfer-Encoding: ${MARKER}, chunked\r\n` }) },
  {
    name: 'two lengths',
    octets: asked('ok', { method: 'POST', end: `Content-Length: 4\r\nContent-Length: 5\r\n\r\n${body}` }),
  },
  { name: 'a bad field', octets: asked('ok', { lines: `${MARKER} field: x\r\n` }) },
  { name: 'a control octet', octets: asked('ok', { lines: `X-Odd: ${MARKER}\x00\r\n` }) },
  { name: 'no HTTP', octets: `${MARKER}-noise\r\nCookie: ${MARKER}\r\n\r\n` },
  { name: 'a bad version', octets: `GET ${prefix}${MARKER} HTTP/9.7\r\nCookie: ${MARKER}\r\n\r\n` },
  { name: 'a loop', octets: asked('ok', { lines: `Via: 1.1 continuation-point (${MARKER}-comment)\r\n` }) },
  { name: 'contradicting forwarding', octets: asked('ok', { lines: `X-Forwarded-Proto: ${MARKER}\r\n` }) },
  { name: 'a head over the limit', octets: asked('ok', { lines: `X-Long: ${MARKER.repeat(8_000)}\r\n` }) },
  { name: 'too many fields', octets: asked('ok', { lines: `X-Many: ${MARKER}\r\n`.repeat(300) }) },
  {
    name: 'a body over the limit',
    octets: asked('ok', { method: 'POST', end: `Content-Length: 9999999\r\n\r\n${body}` }),
  },
  {
    name: 'a bad chunk',
    octets: asked('ok', { method: 'POST', end: `Transfer-Encoding: chunked\r\n\r\n${MARKER}\r\n` }),
  },
  { name: 'a head that never ends', octets: asked('ok', { end: `X-Half: ${MARKER}` }) },
  {
    name: 'a body that never ends',
    octets: asked('ok', { method: 'POST', end: `Content-Length: 999\r\n\r\n${body}` }),
  },
  { name: 'a client that leaves', octets: asked('silence'), behaviour: 'leaves' },
  { name: 'a service that says nothing', octets: asked('silence') },
  { name: 'a service that stalls', octets: asked('stall') },
  { name: 'a service that resets', octets: asked('reset') },
  { name: 'a service that closes the connection', octets: asked('hang-up') },
  { name: 'a service that closes the connection early', octets: asked('truncate') },
  { name: 'a service that does not speak HTTP', octets: asked('noise') },
  { name: 'a service with a bad field', octets: asked('bad-field') },
  { name: 'a service with a bad length', octets: asked('bad-length') },
  { name: 'a service with a bad chunk', octets: asked('bad-chunk') },
  { name: 'a service with too large a head', octets: asked('large-head') },
  { name: 'a service that switches protocols', octets: asked('switch') },
  { name: 'a service that says more than asked', octets: asked('surplus') },
  { name: 'a request after it', octets: asked('ok') },
]

/** The service: the word after the prefix says what it does. */
export const answerByWord: Script = (request, socket) => {
  const word = /^\S+ \/service_cookie_transfer\/([a-z-]+)/.exec(request.startLine)?.[1] ?? ''
  const octets = ANSWERS[word]
  if (octets !== undefined) socket.write(Buffer.from(octets, 'latin1'))
  if (word === 'reset') socket.resetAndDestroy()
  if (word === 'truncate' || word === 'hang-up') socket.end()
}

const head = `Set-Cookie: sid=${MARKER}-set-cookie; HttpOnly\r\nX-Odd: ${MARKER}-field\r\n`

const ANSWERS: Readonly<Record<string, string>> = {
  ok: `HTTP/1.1 200 ${MARKER}-reason\r\n${head}Content-Length: 14\r\n\r\n${MARKER}-ans`,
  redirect: `HTTP/1.1 302 Found\r\n${head}Location: https://${MARKER}.example.com/?${MARKER}\r\nContent-Length: 0\r\n\r\n`,
  stall: `HTTP/1.1 200 OK\r\n${head}Content-Length: 999\r\n\r\n${MARKER}-answer`,
  truncate: `HTTP/1.1 200 OK\r\n${head}Content-Length: 999\r\n\r\n${MARKER}-answer`,
  noise: `${MARKER}-noise\r\n\r\n`,
  'bad-field': `HTTP/1.1 200 OK\r\n${MARKER} field\r\n\r\n`,
  'bad-length': `HTTP/1.1 200 OK\r\n${head}Content-Length: ${MARKER}\r\n\r\n`,
  'bad-chunk': `HTTP/1.1 200 OK\r\n${head}Transfer-Encoding: chunked\r\n\r\n${MARKER}\r\n`,
  'large-head': `HTTP/1.1 200 OK\r\n${head}X-Long: ${MARKER.repeat(8_000)}\r\n\r\n`,
  switch: `HTTP/1.1 101 ${MARKER}\r\nUpgrade: ${MARKER}\r\n\r\n${MARKER}`,
  surplus: `HTTP/1.1 200 OK\r\n${head}Content-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n${head}Content-Length: 0\r\n\r\n`,
}
