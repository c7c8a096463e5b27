import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { renderProblems } from '../../src/config/render-problems.ts'
import { resolveSite, type SiteRequest } from '../../src/front-ends/site.ts'

const PREFIX = '/service_cookie_transfer/'
const POINT = `https://www.example.com${PREFIX}`

function siteOf(config: Record<string, unknown>, request: Partial<SiteRequest> = {}) {
  const parsed = parseConfig(
    JSON.stringify({
      service: { url: 'https://service.example' },
      widgetKey: 'env:KEY',
      points: [POINT],
      ...config,
    }),
    'config.json',
  )
  if ('problems' in parsed) throw new Error(renderProblems(parsed.problems))
  return resolveSite(parsed.config, {
    mode: 'forward',
    upstream: '127.0.0.1:8080',
    nameServers: [],
    ...request,
  })
}

function made(config: Record<string, unknown>, request?: Partial<SiteRequest>) {
  const result = siteOf(config, request)
  if ('problems' in result) throw new Error(renderProblems(result.problems))
  return result.site
}

describe('the points of an origin', () => {
  it('are grouped, with the Host values that name it and the path to remove', () => {
    const { origins } = made({
      points: [POINT, `http://www.example.com:81/a${PREFIX}`, `https://www.example.com/shop${PREFIX}`],
    })
    expect(origins).toMatchObject([
      {
        authorities: ['www.example.com', 'www.example.com:443'],
        points: [
          { path: PREFIX, strippedPath: '' },
          { path: `/shop${PREFIX}`, strippedPath: '/shop' },
        ],
      },
      { authorities: ['www.example.com:81'], points: [{ path: `/a${PREFIX}`, strippedPath: '/a' }] },
    ])
  })

  it('keep their cookie path when the config says so', () => {
    const { origins } = made({
      service: { url: 'https://service.example', keepCookiePath: true },
      points: [`https://www.example.com/shop${PREFIX}`],
    })
    expect(origins[0]?.points[0]?.strippedPath).toBe('')
  })
})

describe('the names of widget keys', () => {
  it.each([
    ['a variable keeps its name', 'env:KEY', ['KEY', 'UK_KEY', 'WIDGET_KEY_3']],
    ['other keys are numbered', 'the-literal', ['WIDGET_KEY', 'UK_KEY', 'WIDGET_KEY_3']],
    ['no name is given twice', 'env:WIDGET_KEY_3', ['WIDGET_KEY_3', 'UK_KEY', 'WIDGET_KEY_3_']],
  ])('%s', (_what, widgetKey, names) => {
    const { origins } = made({
      widgetKey,
      points: [
        POINT,
        { url: `https://b.example${PREFIX}`, widgetKey: 'env:UK_KEY' },
        { url: `https://c.example${PREFIX}`, widgetKey: 'file:/run/secrets/c' },
      ],
    })
    expect(origins.map(({ points }) => points[0]?.keyName)).toEqual(names)
  })
})

describe('the target', () => {
  it.each([
    [
      'https://service.example',
      { host: 'service.example', port: 443, authority: 'service.example', hostKind: 'name' },
    ],
    ['https://service.example:8443', { port: 8443, authority: 'service.example:8443' }],
    ['https://[2001:db8::5]', { host: '[2001:db8::5]', port: 443, hostKind: 'address' }],
    ['http://127.0.0.1:81', { scheme: 'http', host: '127.0.0.1', port: 81, hostKind: 'address' }],
  ])('is the service at %s', (url, target) => {
    expect(made({ service: { url } }).target).toMatchObject({ kind: 'forward', ...target })
  })

  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['[::1]:81', { host: '[::1]', port: 81 }],
    ['Proxy.internal:8080', { host: 'proxy.internal', port: 8080 }],
  ])('is serve at %s', (upstream, target) => {
    expect(made({}, { mode: 'route', upstream }).target).toEqual({ kind: 'route', ...target })
  })

  it('needs no service and no key if serve has them', () => {
    const parsed = siteOf({ service: {}, widgetKey: undefined }, { mode: 'route' })
    expect(parsed).not.toHaveProperty('problems')
  })
})

describe('what can’t be rendered', () => {
  it.each<[string, Record<string, unknown>, Partial<SiteRequest>, readonly (readonly [string, RegExp])[]]>([
    ['no point', { points: [] }, {}, [['/points', /no continuation point/]]],
    ['a bad point', { points: ['https://a.example/'] }, {}, [['/points/0', /url\/prefix/]]],
    [
      'a host that no name server has',
      { points: [`http://a$b.example${PREFIX}`] },
      {},
      [['/points/0', /host/]],
    ],
    ['no service', { service: {} }, {}, [['/service', /service\.url is missing/]]],
    [
      'a service in the clear',
      { service: { url: 'http://service.example' } },
      {},
      [['/service/url', /plain http/]],
    ],
    ['no key', { widgetKey: undefined }, {}, [['/points/0', /no widget key/]]],
    ['picked cookies', { forward: { cookies: 'scoped' } }, {}, [['/forward/cookies', /every cookie/]]],
    [
      'an authority that is not a file',
      { service: { url: 'https://service.example', ca: 'env:CA' } },
      {},
      [['/service/ca', /from a file/]],
    ],
    [
      'a file with a name like a variable',
      { service: { url: 'https://service.example', ca: 'file:/etc/{x}.pem' } },
      {},
      [['/service/ca', /character/]],
    ],
    ['an upstream without port', {}, { mode: 'route', upstream: '127.0.0.1' }, [['--upstream', /HOST:PORT/]]],
    [
      'an upstream that is a URL',
      {},
      { mode: 'route', upstream: 'http://a:1' },
      [['--upstream', /HOST:PORT/]],
    ],
    ['an upstream with quotes', {}, { mode: 'route', upstream: "a';b:1" }, [['--upstream', /HOST:PORT/]]],
    [
      'a serve that speaks TLS',
      { listen: { tls: { cert: 'file:/a', key: 'file:/b' } } },
      { mode: 'route' },
      [['/listen/tls/cert', /plain HTTP/]],
    ],
  ])('%s', (_what, config, request, expected) => {
    const result = siteOf(config, request)
    const problems = 'problems' in result ? result.problems : []
    expect(problems).toHaveLength(expected.length)
    expected.forEach(([pointer, message], index) => {
      expect(problems[index]?.location.pointer).toBe(pointer)
      expect(problems[index]?.message).toMatch(message)
    })
  })

  it('reports every fault at once', () => {
    const result = siteOf({ service: {}, widgetKey: undefined, points: ['https://a.example/'] })
    expect('problems' in result && result.problems).toHaveLength(3)
  })
})
