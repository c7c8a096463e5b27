import { describe, expect, it } from 'vitest'
import { renderProblems } from '../../src/config/problem.ts'
import { resolveSite, type SiteRequest } from '../../src/front-ends/site.ts'
import { configOf } from '../support/config-of.ts'

const PREFIX = '/service_cookie_transfer/'
const POINT = `https://www.example.com${PREFIX}`

function siteOf(config: Record<string, unknown>, request: Partial<SiteRequest> = {}) {
  const service = { url: 'https://service.example' }
  const whole = configOf({ service, widgetKey: 'env:KEY', points: [POINT], ...config })
  const defaults = { mode: 'forward', upstream: '127.0.0.1:8080', nameServers: [] } as const
  return resolveSite(whole, { ...defaults, ...request })
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

it.each([
  ['a variable keeps its name', 'env:KEY', ['KEY', 'UK_KEY', 'WIDGET_KEY_3']],
  ['other keys are numbered', 'the-literal', ['WIDGET_KEY', 'UK_KEY', 'WIDGET_KEY_3']],
  ['no name is given twice', 'env:WIDGET_KEY_3', ['WIDGET_KEY_3', 'UK_KEY', 'WIDGET_KEY_3_']],
])('the names of widget keys: %s', (_what, widgetKey, names) => {
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
  const withCa = (ca: string) => ({ service: { url: 'https://service.example', ca } })
  const tls = { listen: { tls: { cert: 'file:/a', key: 'file:/b' } } }
  const to = (upstream: string) => ({ mode: 'route', upstream }) as const

  it.each<[string, pointer: string, RegExp, config: Record<string, unknown>, Partial<SiteRequest>?]>([
    ['no point', '/points', /no continuation point/, { points: [] }],
    ['a bad point', '/points/0', /url\/prefix/, { points: ['https://a.example/'] }],
    ['a host that no name server has', '/points/0', /host/, { points: [`http://a$b.example${PREFIX}`] }],
    ['no service', '/service', /service\.url is missing/, { service: {} }],
    ['plain http', '/service/url', /plain http/, { service: { url: 'http://service.example' } }],
    ['no key', '/points/0', /no widget key/, { widgetKey: undefined }],
    ['picked cookies', '/forward/cookies', /every cookie/, { forward: { cookies: 'scoped' } }],
    ['an authority that is not a file', '/service/ca', /from a file/, withCa('env:CA')],
    ['a file with a name like a variable', '/service/ca', /character/, withCa('file:/etc/{x}.pem')],
    ['an upstream without port', '--upstream', /HOST:PORT/, {}, to('127.0.0.1')],
    ['an upstream that is a URL', '--upstream', /HOST:PORT/, {}, to('http://a:1')],
    ['an upstream with quotes', '--upstream', /HOST:PORT/, {}, to("a';b:1")],
    ['a serve that speaks TLS', '/listen/tls/cert', /plain HTTP/, tls, { mode: 'route' }],
  ])('%s', (_what, pointer, message, config, request) => {
    const result = siteOf(config, request)
    const problems = 'problems' in result ? result.problems : []
    expect(problems).toMatchObject([{ location: { pointer }, message: expect.stringMatching(message) }])
  })

  it('reports every fault at once', () => {
    const result = siteOf({ service: {}, widgetKey: undefined, points: ['https://a.example/'] })
    expect('problems' in result && result.problems).toHaveLength(3)
  })
})
