import { describe, expect, it } from 'vitest'
import { CACHE_OVERRIDES, FRONT_END_ORDERS } from '../../src/forward/field-rules.ts'
import { toDownstreamHead } from '../../src/forward/response.ts'

function fieldsOf(...fields: string[]): readonly string[] | undefined {
  return toDownstreamHead('GET', 200, fields)?.fields
}

const NOT_STORED = ['Cache-Control', 'private, no-store']

it.each([
  'Alt-Svc',
  'Strict-Transport-Security',
  'Public-Key-Pins',
  'Clear-Site-Data',
  'NEL',
  'Report-To',
  'Reporting-Endpoints',
  'Expect-CT',
  'Service-Worker-Allowed',
  'Accept-CH',
  'Critical-CH',
  'Set-Login',
  'IdP-SignIn-Status',
  'Use-As-Dictionary',
  'Secure-Session-Registration',
  'Origin-Agent-Cluster',
  'Sec-Session-Registration',
  'Secure-Session-Challenge',
  'Sec-Session-Challenge',
  'Observe-Browsing-Topics',
  'Shared-Storage-Write',
  'Attribution-Reporting-Register-Source',
  'Attribution-Reporting-Register-Trigger',
])('%s, which would take effect on the whole origin of the site, is removed, whatever its case', (name) => {
  const lines = [name, 'x', name.toLowerCase(), 'x', name.toUpperCase(), 'x']
  expect(fieldsOf('ETag', '"1"', ...lines, 'Set-Cookie', 'a=1')).toEqual([
    'ETag',
    '"1"',
    'Set-Cookie',
    'a=1',
    ...NOT_STORED,
  ])
})

it('the length of the body is kept if Connection names it, so that a cut is seen', () => {
  expect(fieldsOf('Connection', 'content-length, x', 'X', '1', 'Content-Length', '9')).toEqual([
    'Content-Length',
    '9',
    ...NOT_STORED,
  ])
})

describe('what front ends and CDNs obey', () => {
  it.each([
    ...FRONT_END_ORDERS,
    'X-Accel-Unheard-Of',
    'X-LiteSpeed-Purge2',
    'X-Sendfile-Unheard-Of',
    'X-Reproxy-Service',
    'X-Envoy-Degraded',
    'X-Middleware-Override-Headers',
    'Grip-Keep-Alive',
  ])('%s is removed, whatever its case and Cache-Control', (name) => {
    const lines = [name, 'x', name.toLowerCase(), 'x', name.toUpperCase(), 'x']
    expect(fieldsOf('Cache-Control', 'public', ...lines, 'ETag', '1')).toEqual([
      ...['Cache-Control', 'public'],
      ...['ETag', '1'],
    ])
  })

  it.each(['X-Accelerator', 'Edge', 'Cache-Status', 'X-Cache', 'X-Request-Id'])('%s stays', (name) => {
    expect(fieldsOf(name, 'x')).toEqual([name, 'x', ...NOT_STORED])
  })

  it.each(['content="ESI/1.0"', 'max-age=60, Content = "ESI/1.0"'])(
    'Surrogate-Control: %s is removed from a response that may be stored',
    (value) => {
      expect(fieldsOf('Surrogate-Control', value, 'Cache-Control', 'public')).toEqual([
        ...['Cache-Control', 'public'],
      ])
    },
  )
})

describe.each([...CACHE_OVERRIDES, 'surrogate-control', 'Unheard-Of-CDN-Cache-Control'])(
  '%s, which overrides Cache-Control in caches',
  (name) => {
    it.each([
      'no-store',
      'private',
      'Private, max-age=5',
      'max-age=0, NO-STORE',
      'private="Set-Cookie"',
      'public, private',
    ])('is removed where Cache-Control is %j, in any order', (value) => {
      expect(fieldsOf(name, 'max-age=60', 'Cache-Control', value)).toEqual(['Cache-Control', value])
      expect(fieldsOf('Cache-Control', value, name, 'max-age=60')).toEqual(['Cache-Control', value])
    })

    it('is removed where the proxy itself says that nothing is stored', () => {
      expect(fieldsOf(name, 'max-age=60')).toEqual(NOT_STORED)
      expect(fieldsOf('Connection', 'Cache-Control', 'Cache-Control', 'public', name, 'max-age=60')).toEqual(
        NOT_STORED,
      )
    })

    it('is removed where one of several Cache-Control lines forbids storing', () => {
      const lines = ['Cache-Control', 'max-age=5', 'cache-control', 'no-store']
      expect(fieldsOf(name, 'max-age=60', ...lines)).toEqual(lines)
    })

    it.each(['max-age=60', 'no-cache', 'public', 'x="private, no-store"', ''])(
      'stays where Cache-Control is %j',
      (value) => {
        const fields = ['Cache-Control', value, name, 'max-age=60']
        expect(fieldsOf(...fields)).toEqual(fields)
      },
    )
  },
)

describe('what concerns one connection', () => {
  it.each([
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Connection', 'close'],
    ['Proxy-Authenticate', 'Basic'],
    ['Proxy-Authorization', 'Basic'],
    ['TE', 'trailers'],
    ['Trailer', 'Digest'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'h2c'],
  ])('%s is removed', (name, value) => {
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()])
      expect(fieldsOf('ETag', '1', spelling, value)).toEqual(['ETag', '1', ...NOT_STORED])
  })

  it.each([
    ['X-Hop', ['x-hop', '1', 'X-Hops', '2'], ['X-Hops', '2']],
    ['close, Set-Cookie', ['Set-Cookie', 'a=1', 'ETag', '1'], ['ETag', '1']],
  ])('and so is what Connection names: %s', (options, lines, left) => {
    expect(fieldsOf(...lines, 'Connection', options)).toEqual([...left, ...NOT_STORED])
  })
})

it.each([
  [['Set-Cookie', 'a=1; Path=/', 'ETag', '"1"', 'set-cookie', 'b=2, c=3', 'SET-COOKIE', 'a=1; Path=/']],
  [['X-b', '1', 'X-a', '', 'x-B', '1', 'Vary', 'a', 'Vary', 'b']],
  [['Location', 'http://service.internal/%7E?a#b', 'Content-Encoding', 'gzip', 'X', '\xe4\x80']],
  [['Content-Security-Policy', "default-src 'none'", 'X-Widget-Key', '1', 'Via', '1.1 service']],
])('%j stays unchanged', (lines) => {
  expect(fieldsOf(...lines)).toEqual([...lines, ...NOT_STORED])
  expect(fieldsOf('Cache-Control', 'max-age=5', ...lines)).toEqual(['Cache-Control', 'max-age=5', ...lines])
})

describe('status, method and framing', () => {
  const LENGTH = ['Content-Length', '2', 'Cache-Control', 'no-cache']

  it.each([
    ['GET', 200, LENGTH, 'framed'],
    ['HEAD', 200, LENGTH, 'none'],
    ['GET', 304, LENGTH, 'none'],
    ['GET', 204, ['Cache-Control', 'no-cache'], 'none'],
    ['GET', 205, LENGTH, 'framed'],
    ['POST', 599, LENGTH, 'framed'],
  ] as const)('%s, %i: fields %j, body %s', (method, status, fields, body) => {
    expect(toDownstreamHead(method, status, LENGTH)).toEqual({ status, fields, body })
  })

  it.each([0, 99, 100, 101, 103, 199, 600, 999])('%i is not a response', (status) => {
    expect(toDownstreamHead('GET', status, LENGTH)).toBeUndefined()
  })

  it.each([
    [['Transfer-Encoding', 'chunked'], 'framed'],
    [['transfer-encoding', 'Chunked'], 'framed'],
    [[], 'until-close'],
    [['Connection', 'content-length'], 'until-close'],
    [['Transfer-Encoding', 'gzip, chunked'], undefined],
    [['Transfer-Encoding', 'gzip'], undefined],
    [['Transfer-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'], undefined],
    [['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked'], undefined],
    [['Transfer-Encoding', ''], undefined],
  ])('%j: body %s', (fields, body) => {
    expect(toDownstreamHead('GET', 200, fields)?.body).toBe(body)
  })
})
