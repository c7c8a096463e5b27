import { returnsAnswer } from '../answer-expectations.ts'
import {
  arrivesAsSent,
  arrivesFramed,
  arrivesSpelled,
  arrivesWith,
  bodyArrives,
  ownedFieldsSet,
  refused,
  staysOut,
} from '../arrival-expectations.ts'
import type { Case } from '../case.ts'

/** Any method and any path, raw (spec 4.9, rule 1). */
const targets: readonly (readonly [name: string, level: Case['level'], path: string, title: string])[] = [
  ['deep', 'must', 'a/b/c.html', 'a deep path'],
  ['named', 'must', 'store', 'a path of one word'],
  ['trailing-slash', 'must', 'a/b/', 'a slash at the end'],
  ['query', 'must', '_conformance/q?a=1&b=2&a=3', 'a query, with one name twice'],
  ['empty-query', 'should', '_conformance/q?', 'a question mark without a query'],
  ['query-of-root', 'must', '?a=1', 'a query behind the root'],
  ['query-with-url', 'must', '_conformance/q?u=https://x.example/?y=1', 'a URL in the query'],
  [
    'query-encoded',
    'must',
    '_conformance/q?a=%2F%3f%26+%20%c3%a4',
    'percent-encoding in the query, case kept',
  ],
  ['encoded-octets', 'must', 'a%20b/%c3%A4', 'percent-encoding in the path, case kept'],
  ['encoded-unreserved', 'must', '%61%7Eb', 'an encoded octet that need not be encoded'],
  ['encoded-slash', 'must', 'a%2Fb%2fc', 'an encoded slash'],
  ['double-slash', 'must', 'a//b///c', 'empty segments'],
  ['leading-double-slash', 'should', '/a', 'an empty first segment'],
  ['dots-in-names', 'must', 'a..b/.hidden/...', 'dots that are part of a name'],
  ['encoded-percent', 'must', 'a%252e%252e/b', 'an encoded percent sign, not decoded twice'],
  ['sub-delims', 'must', "a;v=1,2/b=c&d+e!$'()*:@", 'every other character that a path may hold'],
  ['stray-percent', 'should', 'a%zzb', 'a percent sign that encodes nothing'],
  ['unlisted', 'should', 'a|b^c`d{e}f"g<h>i', 'characters that a URL has to encode, sent as they are'],
  ['query-unlisted', 'should', '_conformance/q?a|b^c`d{e}f"g<h>i%zz', 'the same in the query'],
  ['long', 'must', `long/${'a'.repeat(2000)}?${'q'.repeat(2000)}`, '4,000 octets'],
]

const methods: readonly (readonly [method: string, level: Case['level']])[] = [
  ['PUT', 'must'],
  ['PATCH', 'must'],
  ['DELETE', 'must'],
  ['OPTIONS', 'must'],
  ['PROPFIND', 'should'],
]

/** Requests arrive as they were sent. */
export const requestCases: readonly Case[] = [
  ...targets.map(
    ([name, level, path, title]): Case => ({
      id: `target/${name}`,
      level,
      title: `the raw target arrives: ${title}`,
      send: { path },
      expect: [arrivesAsSent, ownedFieldsSet],
    }),
  ),
  ...methods.map(
    ([method, level]): Case => ({
      id: `method/${method.toLowerCase()}`,
      level,
      title: `${method} is forwarded`,
      send: { method },
      expect: [arrivesAsSent, ownedFieldsSet, returnsAnswer],
    }),
  ),
  {
    id: 'method/head',
    level: 'must',
    title: 'HEAD is forwarded as HEAD and answered without a body',
    send: { method: 'HEAD' },
    expect: [arrivesAsSent, returnsAnswer],
  },
  {
    id: 'method/trace',
    level: 'must',
    title: 'TRACE, which would echo httpOnly cookies, stays out',
    send: { method: 'TRACE', fields: ['Cookie', 'sid=1'] },
    expect: [staysOut],
  },
  {
    id: 'target/dot-segment',
    level: 'should',
    title: 'an encoded dot segment, by which a server could leave the point, is refused',
    send: { path: 'a/%2e%2e/%2e%2e/%2e%2e/v2/agents/' },
    expect: [refused(400, 403, 404)],
  },
  {
    id: 'target/encoded-nul',
    level: 'should',
    title: 'an encoded NUL is refused',
    send: { path: 'a%00b' },
    expect: [refused(400, 403, 404)],
  },
  {
    id: 'target/refused-as-invalid',
    level: 'should',
    title: 'what is refused for its octets is answered 400',
    send: { path: 'a%00b' },
    expect: [refused(400)],
  },
  {
    id: 'field/custom',
    level: 'must',
    title: "a client's own fields arrive",
    send: { fields: ['X-Custom', 'a, "b" ;c', 'Accept-Language', 'de, en;q=0.5'] },
    expect: [arrivesAsSent, arrivesWith('X-Custom'), arrivesWith('Accept-Language')],
  },
  {
    id: 'field/repeated',
    level: 'should',
    title: 'a field in several lines arrives in several lines',
    send: { fields: ['X-Line', '1', 'X-Line', '2', 'X-Line', '3'] },
    expect: [arrivesAsSent, arrivesWith('X-Line')],
  },
  {
    id: 'field/case',
    level: 'should',
    title: 'field names keep their case',
    send: { fields: ['X-cUsToM', '1'] },
    expect: [arrivesAsSent, arrivesSpelled('X-cUsToM')],
  },
  ...(
    [
      ['underscore', 'X_Custom'],
      ['dot', 'X.Custom'],
    ] as const
  ).map(
    ([name, field]): Case => ({
      id: `field/with-${name}`,
      level: 'should',
      title: `a field with ${name === 'dot' ? 'a dot' : 'an underscore'} in its name arrives`,
      send: { fields: [field, '1'] },
      expect: [arrivesAsSent, arrivesWith(field)],
    }),
  ),
  {
    id: 'field/octets',
    level: 'should',
    title: 'octets above 0x7F in a field value arrive',
    send: { fields: ['X-Custom', 'caf\u00e9 \u00ff'] },
    expect: [arrivesAsSent, arrivesWith('X-Custom')],
  },
  {
    id: 'field/conditions',
    level: 'must',
    title: 'If-None-Match and Range arrive',
    send: { fields: ['If-None-Match', '"a", W/"b"', 'Range', 'bytes=0-3'] },
    expect: [arrivesAsSent, arrivesWith('If-None-Match'), arrivesWith('Range')],
  },
  {
    id: 'field/authorization',
    level: 'must',
    title: 'Authorization arrives',
    send: { fields: ['Authorization', 'Bearer conformance'] },
    expect: [arrivesAsSent, arrivesWith('Authorization')],
  },
  ...[1, 100].map(
    (count): Case => ({
      id: `field/lines-${count}`,
      level: count === 1 ? 'must' : 'should',
      title: `${count} further field ${count === 1 ? 'line arrives' : 'lines arrive'}`,
      send: { fields: Array.from({ length: count }, (_line, at) => [`X-Line-${at}`, `${at}`]).flat() },
      expect: [arrivesAsSent, arrivesWith(`X-Line-${count - 1}`)],
    }),
  ),
  ...bodies(),
]

function bodies(): readonly Case[] {
  const binary = Array.from({ length: 256 }, (_octet, at) => String.fromCharCode(at)).join('')
  const mebibyte = binary.repeat(4096)
  const rows: readonly (readonly [string, Case['level'], string, 'length' | 'chunked', string])[] = [
    ['text', 'must', 'a=1&b=2', 'length', 'a small body'],
    ['binary', 'must', binary, 'length', 'every octet'],
    ['chunked', 'must', binary, 'chunked', 'a chunked body'],
    ['mebibyte', 'must', mebibyte, 'length', '1 MiB'],
    ['mebibyte-chunked', 'must', mebibyte, 'chunked', '1 MiB chunked'],
  ]
  const arriving = rows.map(
    ([name, level, body, framing, title]): Case => ({
      id: `body/${name}`,
      level,
      title: `a request body arrives: ${title}`,
      send: { method: 'POST', body, framing, fields: ['Content-Type', 'application/octet-stream'] },
      expect: [arrivesAsSent, bodyArrives, returnsAnswer],
    }),
  )
  const other = (name: string, title: string, send: Case['send'], expect: Case['expect']): Case => ({
    id: `body/${name}`,
    level: 'should',
    title,
    send: { method: 'POST', ...send },
    expect,
  })
  return [
    ...arriving,
    other('length-kept', 'a body with Content-Length keeps it', { body: 'abc' }, [
      bodyArrives,
      arrivesFramed('Content-Length'),
    ]),
    other('chunked-kept', 'a chunked body stays chunked', { body: 'abc', framing: 'chunked' }, [
      bodyArrives,
      arrivesFramed('Transfer-Encoding'),
    ]),
    other(
      'coding',
      'a coded body arrives coded',
      { body: '\u001f\u008bnot really', fields: ['Content-Encoding', 'gzip'] },
      [arrivesAsSent, bodyArrives, arrivesWith('Content-Encoding')],
    ),
    other(
      'expect',
      'a body behind Expect: 100-continue arrives',
      { body: 'abc', fields: ['Expect', '100-continue'] },
      [arrivesAsSent, bodyArrives, returnsAnswer],
    ),
    other('delete', 'a body of a DELETE arrives', { method: 'DELETE', body: 'abc' }, [
      arrivesAsSent,
      bodyArrives,
    ]),
  ]
}
