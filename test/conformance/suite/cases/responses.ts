import { arrivesTimes, arrivesWith } from './arrival-expectations.ts'
import { type Case, type MakeCase, must, should } from './case.ts'
import {
  redirectsTo,
  returns,
  returnsAmong,
  returnsLength,
  returnsNothingMore,
  returnsReason,
  returnsResponse,
  returnsSpelled,
  returnsUncacheable,
  returnsWithout,
} from './response-expectations.ts'

/** Locations that some servers rewrite or follow. */
const REDIRECTS: readonly (readonly [status: number, location: string])[] = [
  [301, 'http://{service}/service_cookie_transfer/moved'],
  [302, 'http://{service}/'],
  [303, '../relative?x=%2F#part'],
  [307, 'https://other.example/path'],
  [308, '/service_cookie_transfer/_conformance/case'],
]

/** Fields that affect the whole origin, which is the customer's and not the service's. */
const ORIGIN_WIDE: readonly (readonly [name: string, value: string, make: MakeCase])[] = [
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains', must],
  ['Clear-Site-Data', '"*"', must],
  ['Alt-Svc', 'h3="conformance.example:443"', must],
  ['Public-Key-Pins', 'pin-sha256="AAAA"; max-age=60', should],
  ['NEL', '{"report_to":"conformance","max_age":60}', must],
  ['Report-To', '{"group":"conformance","max_age":60}', must],
  ['Reporting-Endpoints', 'conformance="https://conformance.example/"', must],
  ['Expect-CT', 'max-age=60, enforce', should],
]

/** Some of the fields that front ends and CDNs obey. */
const ORDERS = ['X-Accel-Redirect', 'Link', 'X-Sendfile', 'X-LiteSpeed-Tag', 'X-Reproxy-URL', 'Edge-Control']

const CROSS_ORIGIN_FIELDS = [
  ...['Access-Control-Allow-Origin', '{page}', 'Access-Control-Allow-Credentials', 'true'],
  ...['Vary', 'Origin'],
]

/** "conformance\n" as gzip writes it. */
const GZIPPED = atob('H4sIAAAAAAACA0vOz0vLL8pNzEtO5QIAXWRRDAwAAAA=')

/** Responses arrive as the service sent them, except for fields with effects beyond the response. */
export const responseCases: readonly Case[] = [
  must('answer/plain', 'status, Content-Type and body come back', {
    response: { fields: ['Content-Type', 'application/json; charset=utf-8'], body: '{"a":1}' },
    expect: [returnsResponse, returns('Content-Type')],
  }),
  ...[201, 400, 401, 403, 404, 410, 429, 500, 502, 503].map((status) =>
    must(`answer/${status}`, `the service's ${status} comes back with its body`, {
      response: { status, body: `The service says ${status}.\n` },
      expect: [returnsResponse, arrivesTimes(1)],
    }),
  ),
  ...REDIRECTS.map(([status, location]) =>
    must(`redirect/${status}`, `a ${status} is neither followed nor rewritten`, {
      response: { status, fields: ['Location', location] },
      expect: [returnsResponse, returns('Location'), arrivesTimes(1)],
    }),
  ),
  must('answer/204', 'a 204 comes back without a body', {
    response: { status: 204, fields: ['X-Answer', '1'] },
    expect: [returnsResponse, returns('X-Answer')],
  }),
  must('answer/304', 'a 304 comes back with its ETag', {
    send: { fields: ['If-None-Match', '"a"'] },
    response: { status: 304, fields: ['ETag', '"a"'] },
    expect: [returnsResponse, returns('ETag'), arrivesWith('If-None-Match')],
  }),
  should('answer/head-length', 'a response to HEAD keeps its Content-Length', {
    send: { method: 'HEAD' },
    expect: [returnsResponse, returnsLength],
  }),
  should('answer/length', 'a response keeps its Content-Length', {
    expect: [returnsResponse, returnsLength],
  }),
  should('answer/reason', 'the reason phrase comes back', {
    response: { reason: 'Quite All Right' },
    expect: [returnsResponse, returnsReason],
  }),
  should('answer/field-case', 'field names of the response keep their case', {
    response: { fields: ['X-aNsWeR', '1'] },
    expect: [returnsResponse, returnsSpelled('X-aNsWeR')],
  }),
  should('answer/repeated', 'a response field in several lines comes back in several lines', {
    response: { fields: ['X-Line', '1', 'X-Line', '2'] },
    expect: [returnsResponse, returns('X-Line')],
  }),
  must('answer/fields', 'ETag, Vary, Content-Language, Content-Security-Policy and custom fields come back', {
    response: {
      fields: [
        ...['ETag', 'W/"a"', 'Vary', 'Origin', 'Content-Language', 'de'],
        ...['Content-Security-Policy', "default-src 'none'", 'X-Answer', 'a, b'],
      ],
    },
    expect: [
      returnsResponse,
      ...['ETag', 'Vary', 'Content-Language', 'Content-Security-Policy', 'X-Answer'].map(returns),
    ],
  }),
  should('answer/nothing-added', 'no fields are added to a response', {
    response: { fields: ['Content-Type', 'text/plain'] },
    expect: [returnsResponse, returnsNothingMore],
  }),
  should('answer/of-other-hops', "the service's Server, Via and Age come back", {
    response: { fields: ['Server', 'conformance', 'Via', '1.1 conformance', 'Age', '60'] },
    expect: [returnsResponse, returns('Server'), returnsAmong('Via'), returns('Age')],
  }),
  must('answer/empty', 'a response with an empty body comes back', {
    response: { body: '' },
    expect: [returnsResponse],
  }),
  should('answer/coded', 'a compressed body comes back as sent', {
    send: { fields: ['Accept-Encoding', 'gzip'] },
    response: { fields: ['Content-Encoding', 'gzip', 'Content-Type', 'text/plain'], body: GZIPPED },
    expect: [returnsResponse, returns('Content-Encoding')],
  }),
  should('answer/not-coded', 'the point does not compress a body itself', {
    send: { fields: ['Accept-Encoding', 'gzip, br, zstd'] },
    response: { fields: ['Content-Type', 'text/html'], body: '<p>compressible</p>\n'.repeat(500) },
    expect: [returnsResponse],
  }),
  must('answer/mebibyte', 'a body of 1 MiB comes back', {
    response: {
      body: '0123456789abcdef'.repeat(65_536),
      fields: ['Content-Type', 'application/octet-stream'],
    },
    expect: [returnsResponse],
  }),
  must('answer/mebibyte-chunked', 'a chunked body of 1 MiB comes back', {
    response: { body: '0123456789abcdef'.repeat(65_536), framing: 'chunked' },
    expect: [returnsResponse],
  }),
  ...ORIGIN_WIDE.map(([name, value, make]) =>
    make(
      `answer/without-${name.toLowerCase()}`,
      `the service's ${name} does not take effect on the customer's origin`,
      { response: { fields: [name, value] }, expect: [returnsResponse, returnsWithout(name)] },
    ),
  ),
  must('answer/without-orders', 'no field that front ends or CDNs obey comes back', {
    response: { fields: ORDERS.flatMap((name) => [name, '/_conformance/none']) },
    expect: [returnsResponse, ...ORDERS.map(returnsWithout)],
  }),
  must('answer/after-hints', 'after a 103, the response is still seen as the response', {
    response: { fields: ['Clear-Site-Data', '"*"'] },
    manner: 'hints-first',
    expect: [returnsResponse, returnsWithout('Clear-Site-Data')],
  }),
  should(
    'redirect/last-slash',
    'the URL without its last slash redirects to the point, and the query is kept',
    { send: { base: 'bare', path: '?a=%20b' }, expect: [redirectsTo('?a=%20b')] },
  ),
  must('cors/preflight', 'a preflight reaches the service, and its response comes back once and unchanged', {
    send: { method: 'OPTIONS', fields: ['Origin', '{page}', 'Access-Control-Request-Method', 'POST'] },
    response: { status: 204, fields: CROSS_ORIGIN_FIELDS },
    expect: [
      arrivesWith('Origin'),
      arrivesWith('Access-Control-Request-Method'),
      returnsResponse,
      ...['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials'].map(returns),
    ],
  }),
  must('cors/answer', 'Access-Control fields of a response come back once and unchanged', {
    send: { fields: ['Origin', '{page}'] },
    response: { fields: CROSS_ORIGIN_FIELDS },
    expect: ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials'].map(returns),
  }),
  must('cache/not-stored', 'a response is not stored, even if the service allows it', {
    send: { path: '_conformance/static.css' },
    response: {
      fields: ['Cache-Control', 'public, max-age=3600', 'ETag', '"a"', 'Content-Type', 'text/css'],
    },
    manner: 'again',
    expect: [arrivesTimes(2), returns('Cache-Control')],
  }),
  should('cache/set-where-missing', 'a response without Cache-Control gets one that forbids storing it', {
    expect: [returnsResponse, returnsUncacheable],
  }),
]
