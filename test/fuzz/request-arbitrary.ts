import fc from 'fast-check'
import { bodyOctets, type FuzzRequest } from './request-model.ts'

/** Requests of which about half are good: parts that matter, put together at random. */
export function anyRequest(): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    method: oftenFirst('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PURGE', 'TRACE'),
    host: oftenFirst(
      'www.example.com',
      'WWW.Example.COM',
      'www.example.com:80',
      'www.example.com:8080',
      'example.com',
      'www.example.com.',
      'www.example.com/',
      'a@www.example.com',
      '',
    ),
    form: fc.oneof(
      { weight: 8, arbitrary: fc.constant('origin' as const) },
      {
        weight: 1,
        arbitrary: fc.record({
          absolute: fc.constantFrom('www.example.com', 'WWW.example.com:80', 'other.example.com'),
        }),
      },
    ),
    path: fc
      .tuple(
        oftenFirst(
          '/service_cookie_transfer/',
          '/shop/service_cookie_transfer/',
          '/service_cookie_transfer',
          '/Service_Cookie_Transfer/',
          '/other/service_cookie_transfer/',
          '/shop/',
          '/%73ervice_cookie_transfer/',
        ),
        words(PATH_WORDS, REFUSED_PATH_WORDS),
      )
      .map((parts) => parts.join('')),
    query: fc
      .option(words(QUERY_WORDS, ['#', '\xff']), { nil: undefined })
      .map((text) => (text === undefined ? '' : `?${text}`)),
    fields: fc.array(fc.oneof({ weight: 3, arbitrary: anyField() }, fc.constantFrom(...SPECIAL_FIELDS)), {
      maxLength: 8,
    }),
    body: fc.oneof(
      { weight: 4, arbitrary: fc.constant({ framing: 'none' as const }) },
      { weight: 3, arbitrary: fc.record({ framing: fc.constant('length' as const), octets: octets }) },
      {
        weight: 3,
        arbitrary: fc.record({
          framing: fc.constant('chunked' as const),
          pieces: fc.array(octets, { maxLength: 4 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          framing: fc.constantFrom('two-lengths' as const, 'both' as const, 'bad-length' as const),
          octets,
        }),
      },
    ),
  })
}

/** The octets of a request, latin1. */
export function toOctets(request: FuzzRequest): string {
  const { method, host, form, path, query, fields, body } = request
  const target = `${form === 'origin' ? '' : `http://${form.absolute}`}${path}${query}`
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${lines}${framed(body)}`
}

function framed(body: FuzzRequest['body']): string {
  const text = bodyOctets(body)
  const length = `Content-Length: ${text.length}\r\n`
  switch (body.framing) {
    case 'none':
      return '\r\n'
    case 'length':
      return `${length}\r\n${text}`
    case 'two-lengths':
      return `${length}Content-Length: ${text.length + 1}\r\n\r\n${text}`
    case 'bad-length':
      return `Content-Length: +${text.length}\r\n\r\n${text}`
    case 'both':
      return `${length}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    case 'chunked': {
      const chunks = body.pieces
        .filter((piece) => piece !== '')
        .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
      return `Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`
    }
  }
}

function words(good: readonly string[], refused: readonly string[]): fc.Arbitrary<string> {
  const word = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...refused) },
  )
  return fc.array(word, { maxLength: 6 }).map((parts) => parts.join(''))
}

function oftenFirst(first: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(first) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  )
}

function anyField(): fc.Arbitrary<readonly [string, string]> {
  return fc.tuple(
    fc.constantFrom(
      'Cookie',
      'cookie',
      'X-Test',
      'x-TEST',
      'Accept',
      'Range',
      'If-None-Match',
      'X~Odd',
      'X.Odd',
      'Content-Type',
      'Authorization',
      'Referer',
    ),
    fc
      .array(fc.integer({ min: 0, max: VALUE_OCTETS.length - 1 }), { maxLength: 12 })
      .map((indexes) => indexes.map((index) => VALUE_OCTETS[index]).join('')),
  )
}

const octets: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes))

/** Dots are next to slashes often enough to make dot segments. */
const PATH_WORDS = [
  'a',
  'b',
  '/',
  '//',
  '.',
  'x..',
  '..;',
  '%2e',
  '%252e',
  '%2f',
  '%',
  '%zz',
  '%20',
  ';',
  ':',
  '@',
  '"',
  '<',
  '{',
  '|',
  '^',
  '`',
  'service_cookie_transfer/',
]
const REFUSED_PATH_WORDS = ['/../', '/..%2f', '%5c%2E%2e/', '\\', '%00', '%0d', '%0A', '#', '\xe9', '\x7f']
const QUERY_WORDS = ['a', '=', '&', '?', '/', '..', '/../', '\\', '%2e', '%', '"', 'x=http://y/']
/** Visible octets, and some above 0x7F that are neither spaces nor controls in latin1. */
const VALUE_OCTETS = '!"#$%&()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\xa1\xe9\xff'
const SPECIAL_FIELDS: readonly (readonly [string, string])[] = [
  ['Connection', 'close'],
  ['Connection', 'keep-alive, X-Test'],
  ['Connection', 'cookie, X-Widget-Key, Content-Length, Host'],
  ['connection', 'x-continuation-origin,,transfer-encoding , via'],
  ['X-Widget-Key', 'forged'],
  ['x_widget.key', 'forged'],
  ['X-WIDGET_KEY', 'forged'],
  ['X-Continuation-Origin', 'https://forged.example.com'],
  ['X~Continuation~Origin', 'https://forged.example.com'],
  ['X-Forwarded-For', '203.0.113.9'],
  ['X_Forwarded_For', '203.0.113.9'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Host', 'forged.example.com'],
  ['X-Forwarded-Unknown', 'kept'],
  ['Forwarded', 'host=forged.example.com;proto=https'],
  ['Content_Length', '3'],
  ['transfer.encoding', 'chunked'],
  ['Keep-Alive', 'timeout=5'],
  ['Proxy-Authorization', 'Basic eDp5'],
  ['Proxy-Connection', 'close'],
  ['TE', 'trailers'],
  ['Trailer', 'X-Test'],
  ['Expect', '100-continue'],
  ['Expect', '100-Continue'],
  ['Expect', 'something-else'],
  ['Via', '1.1 front-end'],
  ['Via', '1.0 a, 1.1 Continuation-Point (loop)'],
  ['Via', '1.1 a (continuation-point)'],
]
