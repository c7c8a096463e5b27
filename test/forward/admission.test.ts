import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { type Admission, admit } from '../../src/forward/admission.ts'
import { compilePoints } from '../../src/points/compile.ts'
import { isPoint, parsePoint } from '../../src/points/point.ts'

const PREFIX = '/service_cookie_transfer/'
const STRANGER = { address: '192.0.2.2', isTrusted: false }

const points = compilePoints(
  [`https://www.example.com${PREFIX}`, `https://www.example.com/shop${PREFIX}`].map((url) => {
    const point = parsePoint(url, PREFIX)
    if (!isPoint(point)) throw new Error(point.reason)
    return { ...point, widgetKey: new Secret('key') }
  }),
  PREFIX,
)

interface Row {
  readonly method?: string
  readonly host?: string
  readonly target?: string
  readonly fields?: readonly string[]
  readonly bodyLimitBytes?: number
  readonly bodyState?: 'untouched' | 'taken'
}

/** In short: the point that gets the request, the redirect to it, or the failure and its side. */
function decide(row: Row): string {
  const { method = 'GET', host = 'www.example.com', target = PREFIX, fields = [] } = row
  const admission: Admission = admit(
    { method, url: target, httpVersion: '1.1', rawHeaders: ['Host', host, ...fields] },
    STRANGER,
    'https',
    {
      points,
      headLimitBytes: 65_536,
      bodyLimitBytes: row.bodyLimitBytes,
      bodyState: row.bodyState ?? 'untouched',
    },
  )
  const path = admission.point?.path ?? 'no point'
  return admission.kind === 'refuse' ? `${admission.failure}, ${path}` : `${admission.kind}, ${path}`
}

const BODY = ['Content-Length', '10']
const CHUNKS = ['Transfer-Encoding', 'chunked']
const LOOP = ['Via', '1.1 other, 1.1 continuation-point']

describe('what is decided about a request', () => {
  it.each<readonly [what: string, row: Row, decision: string]>([
    ['on a point', {}, `forward, ${PREFIX}`],
    ['below a point', { method: 'POST', target: `/shop${PREFIX}a?b` }, `forward, /shop${PREFIX}`],
    [
      'without the last slash, GET',
      { target: '/shop/service_cookie_transfer?q' },
      `redirect, /shop${PREFIX}`,
    ],
    [
      'without the last slash, HEAD',
      { method: 'HEAD', target: '/service_cookie_transfer' },
      `redirect, ${PREFIX}`,
    ],
    [
      'without the last slash, POST',
      { method: 'POST', target: '/service_cookie_transfer' },
      `unknown-path, ${PREFIX}`,
    ],
    ['beside the points', { target: '/' }, 'unknown-path, no point'],
    [
      'on the path of a point, once decoded',
      { target: '/service%5Fcookie_transfer/' },
      'unknown-path, no point',
    ],
    ['on another host', { host: 'other.example' }, 'unknown-authority, no point'],
    ['malformed: its form is checked before its point', { method: 'TRACE' }, 'method-not-allowed, no point'],
    ['a loop', { fields: LOOP }, `loop, ${PREFIX}`],
    [
      'a loop on another host is not ours to tell',
      { host: 'other.example', fields: LOOP },
      'unknown-authority, no point',
    ],
    ['Via with another name', { fields: ['Via', '1.1 continuation-points'] }, `forward, ${PREFIX}`],
    ['a body at the limit', { fields: BODY, bodyLimitBytes: 10 }, `forward, ${PREFIX}`],
    ['a body over the limit', { fields: BODY, bodyLimitBytes: 9 }, `body-too-large, ${PREFIX}`],
    ['any body at a limit of 0', { fields: BODY, bodyLimitBytes: 0 }, `body-too-large, ${PREFIX}`],
    ['chunks, whose total is unknown', { fields: CHUNKS, bodyLimitBytes: 9 }, `forward, ${PREFIX}`],
    ['a body that was read before', { fields: CHUNKS, bodyState: 'taken' }, `body-taken, ${PREFIX}`],
    ['no body, so none was read', { bodyState: 'taken' }, `forward, ${PREFIX}`],
    [
      'a loop with a body over the limit: first the loop',
      { fields: [...LOOP, ...BODY], bodyLimitBytes: 9 },
      `loop, ${PREFIX}`,
    ],
  ])('%s', (_what, row, decision) => {
    expect(decide(row)).toBe(decision)
  })
})
