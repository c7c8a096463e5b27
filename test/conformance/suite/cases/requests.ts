import {
  arrivesAsSent,
  arrivesFramed,
  arrivesFreeOf,
  arrivesSpelled,
  arrivesWith,
  bodyArrives,
  ownedFieldsSet,
  refused,
  staysOut,
} from './arrival-expectations.ts'
import { type Case, type MakeCase, must, should } from './case.ts'
import { returnsResponse } from './response-expectations.ts'

/** Any method and any path, raw (spec 4.9, rule 1). */
const TARGETS: readonly (readonly [name: string, make: MakeCase, path: string, title: string])[] = [
  ['deep', must, 'a/b/c.html', 'a deep path'],
  ['named', must, 'store', 'a path of one word'],
  ['trailing-slash', must, 'a/b/', 'a slash at the end'],
  ['query', must, '_conformance/q?a=1&b=2&a=3', 'a query, with one name twice'],
  ['empty-query', should, '_conformance/q?', 'a question mark without a query'],
  ['query-of-root', must, '?a=1', 'a query on the root'],
  ['query-with-url', must, '_conformance/q?u=https://x.example/?y=1', 'a URL in the query'],
  ['query-encoded', must, '_conformance/q?a=%2F%3f%26+%20%c3%a4', 'percent-encoding in the query, case kept'],
  ['encoded-octets', must, 'a%20b/%c3%A4', 'percent-encoding in the path, case kept'],
  ['encoded-unreserved', must, '%61%7Eb', 'an encoded character that need not be'],
  ['encoded-slash', must, 'a%2Fb%2fc', 'an encoded slash'],
  ['double-slash', must, 'a//b///c', 'empty segments'],
  ['leading-double-slash', should, '/a', 'an empty first segment'],
  ['dots-in-names', must, 'a..b/.hidden/...', 'dots that are part of a name'],
  ['encoded-percent', must, 'a%252e%252e/b', 'an encoded percent sign, not decoded twice'],
  ['sub-delims', must, "a;v=1,2/b=c&d+e!$'()*:@", 'every other character that a path may contain'],
  ['stray-percent', should, 'a%zzb', 'a percent sign without two hex digits'],
  ['unlisted', should, 'a|b^c`d{e}f"g<h>i', 'characters that must be encoded, sent unencoded'],
  [
    'query-unlisted',
    should,
    '_conformance/q?a|b^c`d{e}f"g<h>i%zz',
    'characters that must be encoded, unencoded in the query',
  ],
  ['long', must, `long/${'a'.repeat(2000)}?${'q'.repeat(2000)}`, '4,000 bytes'],
]

const everyOctet = Array.from({ length: 256 }, (_octet, at) => String.fromCharCode(at)).join('')

const BODIES: readonly (readonly [string, MakeCase, string, 'length' | 'chunked', string])[] = [
  ['text', must, 'a=1&b=2', 'length', 'a small body'],
  ['binary', must, everyOctet, 'length', 'every byte value'],
  ['chunked', must, everyOctet, 'chunked', 'a chunked body'],
  ['mebibyte', must, everyOctet.repeat(4096), 'length', '1 MiB'],
  ['mebibyte-chunked', must, everyOctet.repeat(4096), 'chunked', '1 MiB, chunked'],
]

/** Requests arrive as they were sent. */
export const requestCases: readonly Case[] = [
  ...TARGETS.map(([name, make, path, title]) =>
    make(`target/${name}`, `the raw target arrives: ${title}`, {
      send: { path },
      expect: [arrivesAsSent, ownedFieldsSet],
    }),
  ),
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].map((method) =>
    (method === 'PROPFIND' ? should : must)(`method/${method.toLowerCase()}`, `${method} is forwarded`, {
      send: { method },
      expect: [arrivesAsSent, ownedFieldsSet, returnsResponse],
    }),
  ),
  must('method/head', 'HEAD is forwarded as HEAD and answered without a body', {
    send: { method: 'HEAD' },
    expect: [arrivesAsSent, returnsResponse],
  }),
  must('method/trace', 'TRACE, which would echo httpOnly cookies, is not forwarded', {
    send: { method: 'TRACE', fields: ['Cookie', 'sid=1'] },
    expect: [staysOut],
  }),
  should('target/dot-segment', 'an encoded dot segment that could lead out of the point is refused', {
    send: { path: 'a/%2e%2e/%2e%2e/%2e%2e/v2/agents/' },
    expect: [refused(400, 403, 404)],
  }),
  should('target/encoded-nul', 'an encoded NUL is refused', {
    send: { path: 'a%00b' },
    expect: [refused(400, 403, 404)],
  }),
  should('target/refused-as-invalid', 'an invalid path is refused with 400', {
    send: { path: 'a%00b' },
    expect: [refused(400)],
  }),
  field(must, 'custom', "a client's custom fields arrive", [
    ...['X-Custom', 'a, "b" ;c', 'Accept-Language', 'de, en;q=0.5'],
  ]),
  field(should, 'cache-control', 'Cache-Control of a request arrives', ['Cache-Control', 'max-age=0']),
  should('field/cache-control-free', 'a request without Cache-Control arrives without it', {
    send: {},
    expect: [arrivesAsSent, arrivesFreeOf('Cache-Control')],
  }),
  field(should, 'repeated', 'a field in several lines arrives in several lines', [
    ...['X-Line', '1', 'X-Line', '2', 'X-Line', '3'],
  ]),
  should('field/case', 'field names keep their case', {
    send: { fields: ['X-cUsToM', '1'] },
    expect: [arrivesAsSent, arrivesSpelled('X-cUsToM')],
  }),
  field(should, 'with-underscore', 'a field with an underscore in its name arrives', ['X_Custom', '1']),
  field(should, 'with-dot', 'a field with a dot in its name arrives', ['X.Custom', '1']),
  field(should, 'octets', 'bytes above 0x7F in a field value arrive', ['X-Custom', 'caf\u00e9 \u00ff']),
  field(must, 'conditions', 'If-None-Match and Range arrive', [
    ...['If-None-Match', '"a", W/"b"', 'Range', 'bytes=0-3'],
  ]),
  field(must, 'authorization', 'Authorization arrives', ['Authorization', 'Bearer conformance']),
  field(must, 'lines-1', '1 further field line arrives', ['X-Line-0', '0']),
  should('field/lines-100', '100 further field lines arrive', {
    send: { fields: Array.from({ length: 100 }, (_line, at) => [`X-Line-${at}`, `${at}`]).flat() },
    expect: [arrivesAsSent, arrivesWith('X-Line-99')],
  }),
  ...BODIES.map(([name, make, body, framing, title]) =>
    make(`body/${name}`, `a request body arrives: ${title}`, {
      send: { method: 'POST', body, framing, fields: ['Content-Type', 'application/octet-stream'] },
      expect: [arrivesAsSent, bodyArrives, returnsResponse],
    }),
  ),
  should('body/length-kept', 'a body with Content-Length keeps it', {
    send: { method: 'POST', body: 'abc' },
    expect: [bodyArrives, arrivesFramed('Content-Length')],
  }),
  should('body/chunked-kept', 'a chunked body stays chunked', {
    send: { method: 'POST', body: 'abc', framing: 'chunked' },
    expect: [bodyArrives, arrivesFramed('Transfer-Encoding')],
  }),
  should('body/coding', 'a compressed body arrives as sent', {
    send: { method: 'POST', body: '\u001f\u008bnot really', fields: ['Content-Encoding', 'gzip'] },
    expect: [arrivesAsSent, bodyArrives, arrivesWith('Content-Encoding')],
  }),
  should('body/expect', 'a body sent with Expect: 100-continue arrives', {
    send: { method: 'POST', body: 'abc', fields: ['Expect', '100-continue'] },
    expect: [arrivesAsSent, bodyArrives, returnsResponse],
  }),
  should('body/delete', 'the body of a DELETE arrives', {
    send: { method: 'DELETE', body: 'abc' },
    expect: [arrivesAsSent, bodyArrives],
  }),
]

/** Every line of these fields arrives. */
function field(make: MakeCase, name: string, title: string, fields: readonly string[]): Case {
  const names = new Set(fields.filter((_text, at) => at % 2 === 0))
  return make(`field/${name}`, title, {
    send: { fields },
    expect: [arrivesAsSent, ...[...names].map(arrivesWith)],
  })
}
