import {
  redirectsTo,
  returns,
  returnsAmong,
  returnsAnswer,
  returnsLength,
  returnsNothingMore,
  returnsReason,
  returnsSpelled,
  returnsUncacheable,
  returnsWithout,
} from './answer-expectations.ts'
import { arrivesTimes, arrivesWith } from './arrival-expectations.ts'
import { type Case, must, row, should } from './case.ts'

/** Locations that some servers rewrite or follow. */
const redirects: readonly (readonly [status: number, reason: string, location: string])[] = [
  [301, 'Moved Permanently', 'http://{service}/service_cookie_transfer/moved'],
  [302, 'Found', 'http://{service}/'],
  [303, 'See Other', '../relative?x=%2F#part'],
  [307, 'Temporary Redirect', 'https://other.example/path'],
  [308, 'Permanent Redirect', '/service_cookie_transfer/_conformance/case'],
]

const statuses: readonly (readonly [status: number, reason: string])[] = [
  [201, 'Created'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [410, 'Gone'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
]

/** Fields that affect the whole origin, which is the customer's and not the service's. */
const originWide: readonly (readonly [name: string, value: string, level: Case['level']])[] = [
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains', 'must'],
  ['Clear-Site-Data', '"*"', 'must'],
  ['Alt-Svc', 'h3="conformance.example:443"', 'must'],
  ['Public-Key-Pins', 'pin-sha256="AAAA"; max-age=60', 'should'],
  ['NEL', '{"report_to":"conformance","max_age":60}', 'must'],
  ['Report-To', '{"group":"conformance","max_age":60}', 'must'],
  ['Reporting-Endpoints', 'conformance="https://conformance.example/"', 'must'],
  ['Expect-CT', 'max-age=60, enforce', 'should'],
]

const crossOriginFields = [
  ...['Access-Control-Allow-Origin', '{page}', 'Access-Control-Allow-Credentials', 'true'],
  ...['Vary', 'Origin'],
]

/** Responses arrive as the service sent them, except for fields with effects beyond the response. */
export const answerCases: readonly Case[] = [
  must('answer/plain', 'status, type and body come back', {
    answer: { fields: ['Content-Type', 'application/json; charset=utf-8'], body: '{"a":1}' },
    expect: [returnsAnswer, returns('Content-Type')],
  }),
  ...statuses.map(([status, reason]) =>
    must(`answer/${status}`, `the service's ${status} comes back with its own body`, {
      answer: { status, reason, body: `The service says ${status}.\n` },
      expect: [returnsAnswer, arrivesTimes(1)],
    }),
  ),
  ...redirects.map(([status, reason, location]) =>
    must(`redirect/${status}`, `a ${status} is neither followed nor rewritten`, {
      answer: { status, reason, fields: ['Location', location] },
      expect: [returnsAnswer, returns('Location'), arrivesTimes(1)],
    }),
  ),
  must('answer/204', 'a 204 comes back without a body', {
    answer: { status: 204, reason: 'No Content', fields: ['X-Answer', '1'] },
    expect: [returnsAnswer, returns('X-Answer')],
  }),
  must('answer/304', 'a 304 comes back with its ETag', {
    send: { fields: ['If-None-Match', '"a"'] },
    answer: { status: 304, reason: 'Not Modified', fields: ['ETag', '"a"'] },
    expect: [returnsAnswer, returns('ETag'), arrivesWith('If-None-Match')],
  }),
  should('answer/head-length', 'an answer to HEAD keeps its Content-Length', {
    send: { method: 'HEAD' },
    expect: [returnsAnswer, returnsLength],
  }),
  should('answer/length', 'an answer keeps its Content-Length', {
    expect: [returnsAnswer, returnsLength],
  }),
  should('answer/reason', 'the reason phrase comes back', {
    answer: { status: 200, reason: 'Quite All Right' },
    expect: [returnsAnswer, returnsReason],
  }),
  should('answer/field-case', 'field names of the answer keep their case', {
    answer: { fields: ['X-aNsWeR', '1'] },
    expect: [returnsAnswer, returnsSpelled('X-aNsWeR')],
  }),
  should('answer/repeated', 'a field of the answer in several lines comes back in several lines', {
    answer: { fields: ['X-Line', '1', 'X-Line', '2'] },
    expect: [returnsAnswer, returns('X-Line')],
  }),
  must('answer/fields', 'ETag, Vary, Content-Language, Content-Security-Policy and own fields come back', {
    answer: {
      fields: [
        ...['ETag', 'W/"a"', 'Vary', 'Origin', 'Content-Language', 'de'],
        ...['Content-Security-Policy', "default-src 'none'", 'X-Answer', 'a, b'],
      ],
    },
    expect: [
      returnsAnswer,
      ...['ETag', 'Vary', 'Content-Language', 'Content-Security-Policy', 'X-Answer'].map(returns),
    ],
  }),
  should('answer/nothing-added', 'an answer gets no fields of the front end', {
    answer: { fields: ['Content-Type', 'text/plain'] },
    expect: [returnsAnswer, returnsNothingMore],
  }),
  should('answer/of-other-hops', 'Server, Via and Age of the answer come back', {
    answer: { fields: ['Server', 'conformance', 'Via', '1.1 conformance', 'Age', '60'] },
    expect: [returnsAnswer, returns('Server'), returnsAmong('Via'), returns('Age')],
  }),
  must('answer/empty', 'an answer without octets comes back', {
    answer: { body: '' },
    expect: [returnsAnswer],
  }),
  should('answer/coded', 'a coded body comes back coded, octet for octet', {
    send: { fields: ['Accept-Encoding', 'gzip'] },
    answer: { fields: ['Content-Encoding', 'gzip', 'Content-Type', 'text/plain'], body: gzipped() },
    expect: [returnsAnswer, returns('Content-Encoding')],
  }),
  should('answer/not-coded', 'the point does not code a body itself', {
    send: { fields: ['Accept-Encoding', 'gzip, br, zstd'] },
    answer: { fields: ['Content-Type', 'text/html'], body: '<p>compressible</p>\n'.repeat(500) },
    expect: [returnsAnswer],
  }),
  must('answer/mebibyte', 'a body of 1 MiB comes back', {
    answer: { body: '0123456789abcdef'.repeat(65_536), fields: ['Content-Type', 'application/octet-stream'] },
    expect: [returnsAnswer],
  }),
  must('answer/mebibyte-chunked', 'a chunked body of 1 MiB comes back', {
    answer: { body: '0123456789abcdef'.repeat(65_536), framing: 'chunked' },
    expect: [returnsAnswer],
  }),
  ...originWide.map(([name, value, level]) =>
    row(
      level,
      `answer/without-${name.toLowerCase()}`,
      `the service's ${name} does not take effect on the customer's origin`,
      {
        answer: { fields: [name, value] },
        expect: [returnsAnswer, returnsWithout(name)],
      },
    ),
  ),
  should('redirect/last-slash', 'the point without its last slash is redirected to the point, query kept', {
    send: { base: 'bare', path: '?a=%20b' },
    expect: [redirectsTo('?a=%20b')],
  }),
  must('cors/preflight', 'a preflight reaches the service, and its answer comes back once and unchanged', {
    send: {
      method: 'OPTIONS',
      fields: ['Origin', '{page}', 'Access-Control-Request-Method', 'POST'],
    },
    answer: { status: 204, reason: 'No Content', fields: crossOriginFields },
    expect: [
      arrivesWith('Origin'),
      arrivesWith('Access-Control-Request-Method'),
      returnsAnswer,
      ...['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials'].map(returns),
    ],
  }),
  must('cors/answer', 'Access-Control fields of an answer come back once and unchanged', {
    send: { fields: ['Origin', '{page}'] },
    answer: { fields: crossOriginFields },
    expect: ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials'].map(returns),
  }),
  must('cache/not-stored', 'an answer is not stored, even where the service would allow it', {
    send: { path: '_conformance/static.css' },
    answer: {
      fields: ['Cache-Control', 'public, max-age=3600', 'ETag', '"a"', 'Content-Type', 'text/css'],
    },
    manner: 'again',
    expect: [arrivesTimes(2), returns('Cache-Control')],
  }),
  should(
    'cache/set-where-missing',
    'an answer without Cache-Control gets one that keeps it out of every store',
    {
      expect: [returnsAnswer, returnsUncacheable],
    },
  ),
]

/** "conformance\n" as gzip writes it. */
function gzipped(): string {
  return atob('H4sIAAAAAAACA0vOz0vLL8pNzEtO5QIAXWRRDAwAAAA=')
}
