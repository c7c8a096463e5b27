import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { parseConfig } from '../../src/config/parse.ts'
import type { Problem } from '../../src/config/problem.ts'
import { configOf } from '../support/config-of.ts'

const problemsOf = (text: string): readonly Problem[] => {
  const parsed = parseConfig(text, 'config.json')
  if ('config' in parsed) throw new Error('the text was expected to be faulty')
  return parsed.problems
}

describe('what is left out', () => {
  test('everything', () => {
    expect(configOf('{}')).toEqual({
      service: {
        url: undefined,
        api: undefined,
        prefix: '/service_cookie_transfer/',
        keepCookiePath: false,
        ca: undefined,
        location: { file: 'config.json', line: 1, column: 1, pointer: '/service' },
      },
      widgetKey: undefined,
      apiKey: undefined,
      points: [],
      pointsLocation: { file: 'config.json', line: 1, column: 1, pointer: '/points' },
      pages: [],
      cookies: [],
      backTransfer: undefined,
      forward: { cookies: 'all', alsoCookies: [], clientAddress: 'append' },
      listen: {
        host: '127.0.0.1',
        port: 8080,
        reusePort: false,
        location: { file: 'config.json', line: 1, column: 1, pointer: '/listen/reusePort' },
        trustedProxies: ['loopback'],
        tls: undefined,
      },
      admin: { host: '127.0.0.1', port: 9090, portIsDefault: true },
      timeouts: {
        connectMs: 5000,
        headersMs: 30_000,
        idleMs: 30_000,
        drainMs: 25_000,
        connectionAgeMs: 60_000,
      },
      limits: {
        headerBytes: 65_536,
        bodyBytes: undefined,
        concurrentRequests: 'auto',
        upstreamConnections: 128,
      },
      log: { level: 'info', access: true, clientAddress: 'omit' },
      suppress: [],
    })
  })

  test('part of a section', () => {
    const config = configOf(
      '{"listen": {"port": 0}, "timeouts": {"idle": "250ms"}, "log": {"access": false}}',
    )
    expect(config.listen).toMatchObject({ host: '127.0.0.1', port: 0 })
    expect(config.timeouts).toMatchObject({ idleMs: 250, headersMs: 30_000 })
    expect(config.log).toEqual({ level: 'info', access: false, clientAddress: 'omit' })
  })
})

describe('what is converted', () => {
  test.each<[string, Partial<Config['service']>]>([
    [
      '{"url": "https://Co.Example.net:443/"}',
      { url: 'https://co.example.net', api: 'https://co.example.net/v2' },
    ],
    ['{"url": "http://127.0.0.1:9000"}', { url: 'http://127.0.0.1:9000', api: 'http://127.0.0.1:9000/v2' }],
    ['{"url": "https://a.example", "api": "https://b.example/x/v2//"}', { api: 'https://b.example/x/v2' }],
    ['{"api": "https://b.example/v2"}', { url: undefined, api: 'https://b.example/v2' }],
  ])('service %s', (service, expected) => {
    expect(configOf(`{"service": ${service}}`).service).toMatchObject(expected)
  })

  test('null means absent', () => {
    const config = configOf('{"admin": null, "listen": {"tls": null}, "limits": {"bodyBytes": null}}')
    expect(config.admin).toBeUndefined()
    expect(config.listen.tls).toBeUndefined()
    expect(config.limits.bodyBytes).toBeUndefined()
  })

  test('secrets become references that know their place', () => {
    const config = configOf(`{
  "widgetKey": "env:KEY",
  "apiKey": "file:/run/key",
  "points": [{ "url": "u", "widgetKey": "the key itself" }]
}`)
    const place = { file: 'config.json', column: 16 }
    expect(config.widgetKey).toEqual({
      kind: 'env',
      name: 'KEY',
      location: { ...place, line: 2, pointer: '/widgetKey' },
    })
    expect(config.apiKey).toMatchObject({ kind: 'file', path: '/run/key', location: { line: 3, column: 13 } })
    const own = config.points[0]?.widgetKey
    expect(own).toMatchObject({ kind: 'literal', location: { pointer: '/points/0/widgetKey' } })
    expect(own?.kind === 'literal' && own.secret.reveal()).toBe('the key itself')
    expect(JSON.stringify(config)).not.toContain('the key itself')
  })

  test('every item has its place in the file', () => {
    const config = configOf(`\ufeff{ // comments count
  "points": ["a",
    {"url": "b"}],
  "pages": ["c"], "cookies": [{"name": "", "domain": "..", "path": "x"}],
  "suppress": [{"rule": "url/plain-http", "reason": "r"}], "service": {}
}`)
    const places = [
      ...config.points,
      ...config.pages,
      ...config.cookies,
      ...config.suppress,
      config.service,
    ].map(({ location: { line, column, pointer } }) => [line, column, pointer])
    expect(places).toEqual([
      [2, 14, '/points/0'],
      [3, 5, '/points/1'],
      [4, 13, '/pages/0'],
      [4, 31, '/cookies/0'],
      [5, 16, '/suppress/0'],
      [5, 71, '/service'],
    ])
  })

  test('line endings of every system', () => {
    const { points } = configOf('{\r\n"points":\r[\n"a"]}')
    expect(points[0]?.location).toMatchObject({ line: 4, column: 1 })
  })

  test('everything is frozen', () => {
    const config = configOf('{"points": ["a"], "listen": {"trustedProxies": ["private"]}}')
    for (const part of [config, config.points, config.points[0], config.listen.trustedProxies, config.log])
      expect(Object.isFrozen(part)).toBe(true)
  })
})

test.each<[string, string, Partial<Problem>]>([
  ['{"servce": {}}', '1:2 /servce', { message: 'unknown key "servce"', suggestion: '"service"' }],
  ['{"points": [{"ur": "x"}]}', '1:14 /points/0/ur', { message: 'unknown key "ur"', suggestion: '"url"' }],
  ['{"log": {"a/b~c": 1}}', '1:10 /log/a~1b~0c', { expected: 'one of "level", "access", "clientAddress"' }],
  ['{"__proto__": 1}', '1:2 /__proto__', { message: 'unknown key "__proto__"' }],
  [
    '{"pages": [], "pages": []}',
    '1:15 /pages',
    { message: 'duplicate key "pages"', found: 'the same key on line 1' },
  ],
  ['{"points": [{}]}', '1:13 /points/0/url', { message: 'missing key "url"' }],
  ['{"points": [5]}', '1:13 /points/0', { message: 'wrong type', found: '5' }],
  ['{"points": [[]]}', '1:13 /points/0', { message: 'wrong type', found: 'an array' }],
  ['{"points": {}}', '1:12 /points', { expected: 'an array of points', found: 'an object' }],
  ['{"points": [{"url": null}]}', '1:21 /points/0/url', { found: 'null' }],
  [
    '{"cookies": [{"name":"","domain":"","path":"","sameSite":"lax"}]}',
    '1:58 /cookies/0/sameSite',
    { suggestion: '"Lax"' },
  ],
  ['{"service": []}', '1:13 /service', { expected: 'an object', found: 'an array' }],
  ['{"service": null}', '1:13 /service', { expected: 'an object', found: 'null' }],
  ['{"backTransfer": "no"}', '1:18 /backTransfer', { expected: 'true or false', found: '"no"' }],
  [
    '{"listen": {"port": -1}}',
    '1:21 /listen/port',
    { message: 'too small', expected: 'a whole number from 0 to 65535' },
  ],
  ['{"listen": {"port": 65536}}', '1:21 /listen/port', { message: 'too large', found: '65536' }],
  ['{"listen": {"port": 80.5}}', '1:21 /listen/port', { message: 'not a whole number' }],
  ['{"listen": {"port": 1e999}}', '1:21 /listen/port', { found: 'Infinity' }],
  [
    '{"listen": {"trustedProxies": ["lopback"]}}',
    '1:32 /listen/trustedProxies/0',
    { suggestion: '"loopback"' },
  ],
  ['{"listen": {"tls": {"cert": "file:c"}}}', '1:20 /listen/tls/key', { message: 'missing key "key"' }],
  ['{"timeouts": {"idle": "0s"}}', '1:23 /timeouts/idle', { found: '"0s"' }],
  ['{"limits": {"bodyBytes": 0}}', '1:26 /limits/bodyBytes', { message: 'too small' }],
  [
    '{"limits": {"bodyBytes": "10MB"}}',
    '1:26 /limits/bodyBytes',
    { message: 'wrong type', expected: 'a whole number of bytes, at least 1' },
  ],
  [
    '{"limits": {"headerBytes": 8}}',
    '1:28 /limits/headerBytes',
    { message: 'too small', expected: 'a whole number of bytes, from 1024 to 1048576' },
  ],
  ['{"limits": {"concurrentRequests": "atuo"}}', '1:35 /limits/concurrentRequests', { suggestion: '"auto"' }],
  ['{"log": {"level": "inof"}}', '1:19 /log/level', { message: 'unknown word', suggestion: '"info"' }],
  ['{"suppress": [{"rule": "a", "reason": " "}]}', '1:39 /suppress/0/reason', { message: 'empty' }],
  ['[]', '1:1 ', { expected: 'an object', found: 'an array' }],
  ['"text"', '1:1 ', { expected: 'an object', found: '"text"' }],
  ['null', '1:1 ', { expected: 'an object', found: 'null' }],
])('one fault: %s', (text, place, expected) => {
  const problems = problemsOf(text)
  expect(problems).toEqual([expect.objectContaining(expected)])
  expect(problems.map(({ location: { line, column, pointer } }) => `${line}:${column} ${pointer}`)).toEqual([
    place,
  ])
})

test.each([
  '{"widgetKey": 5551234}',
  '{"apiKey": ["5551234"]}',
  '{"widgetKey": "env:5551234"}',
  '{"points": [{"url": "u", "widgetKey": 5551234}]}',
  '{"widgetkey": "5551234"}',
  '{"listen": {"tls": {"cert": "5551234", "key": "5551234"}}}',
  '{"listen": {"tls": {"key": {"x": "5551234"}, "cert": 5551234}}}',
  '{"service": {"url": "https://user:5551234@host"}}',
  '{"service": {"url": "https://host/?api_key=5551234"}}',
  '{"widgetKey": "5551234" "x": 1}',
])('a secret is never shown as what was found: %s', (text) => {
  expect(JSON.stringify(problemsOf(text))).not.toContain('5551234')
})

test('every fault at once, in the order of the file', () => {
  const problems = problemsOf(`{
  "servce": {}, "apikey": "x",
  "points": ["ok", {"ur": "x", "widgetkey": "y"}, 7],
  "listen": {"port": "80", "hots": "x", "port": 1},
  "log": {"level": "loud", "acces": true}
}`)
  expect(problems.map(({ location: { line, column, pointer } }) => `${line}:${column} ${pointer}`)).toEqual([
    '2:3 /servce',
    '2:17 /apikey',
    '3:21 /points/1/ur',
    '3:32 /points/1/widgetkey',
    '3:51 /points/2',
    '4:28 /listen/hots',
    '4:41 /listen/port',
    '5:20 /log/level',
    '5:28 /log/acces',
  ])
})

test('the packaged example has no fault', async () => {
  const text = await readFile(new URL('../../config.example.json', import.meta.url), 'utf8')
  const config = configOf(text)
  expect(config.points.map(({ url }) => url)).toEqual([
    'https://www.example.com/service_cookie_transfer/',
    'https://www.example.com/shop/service_cookie_transfer/',
    'https://www.example.co.uk/service_cookie_transfer/',
  ])
  expect(config.cookies.map(({ name }) => name)).toEqual(['sid', 'basket'])
})

test('a value of a million characters is looked through for credentials in linear time', () => {
  const [problem] = problemsOf(JSON.stringify({ log: { level: 'x'.repeat(1_000_000) } }))
  expect(problem?.found).toMatch(/^"x{60}…"$/)
})

// Each unknown key was compared with each wrong entry, which kept a process that reloads busy for a minute.
test('finds what is wrong with 20,000 keys and as many entries', () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => [`a${at}`, 0] as const)
  const text = JSON.stringify({ listen: { ...Object.fromEntries(keys), trustedProxies: keys.map(() => 0) } })
  const parsed = parseConfig(text, 'a.json')
  expect('problems' in parsed && parsed.problems.length).toBe(40_000)
})
