import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ResolvedConfig } from '../../src/forward/resolved-config.ts'
import { compileSettings } from '../../src/proxy/settings.ts'
import { findRestartPointers } from '../../src/serve/reloading.ts'
import { resolvedConfigOf } from '../support/config-of.ts'

/**
 * What a reload does with each key of the schema: `exchanges` compiles it again, `listener`, `log` and `drain` have tests
 * of their own in test/cli/serve-reload.test.ts, `restart` is named in the log line, and `serve` does not read `unread`.
 */
type Effect = 'exchanges' | 'listener' | 'log' | 'drain' | 'restart' | 'unread'

const POINT = 'http://www.example.com/service_cookie_transfer/'
const OTHER_POINT = 'http://other.example.com/service_cookie_transfer/'
const TLS = { cert: 'file:/a.cert', key: 'file:/a.key' }

const table: Readonly<Record<string, readonly [Effect, before: object, after: object]>> = {
  '/$schema': ['unread', {}, { $schema: './other.json' }],
  '/service/url': ['exchanges', {}, { service: { url: 'http://127.0.0.1:2' } }],
  '/service/api': ['unread', {}, { service: { url: 'http://127.0.0.1:1', api: 'http://127.0.0.1:1/v3' } }],
  '/service/prefix': [
    'exchanges',
    {},
    { service: { url: 'http://127.0.0.1:1', prefix: '/x/' }, points: ['http://www.example.com/x/'] },
  ],
  '/service/keepCookiePath': [
    'exchanges',
    {},
    { service: { url: 'http://127.0.0.1:1', keepCookiePath: true } },
  ],
  '/service/ca': ['exchanges', {}, { service: { url: 'http://127.0.0.1:1', ca: 'file:/ca' } }],
  '/widgetKey': ['exchanges', {}, { widgetKey: 'another' }],
  '/apiKey': ['unread', {}, { apiKey: 'another' }],
  '/points': ['exchanges', {}, { points: [OTHER_POINT] }],
  '/pages': ['unread', {}, { pages: ['http://www.example.com/'] }],
  '/cookies': [
    'exchanges',
    { forward: { cookies: 'scoped' } },
    { forward: { cookies: 'scoped' }, cookies: [{ name: 'sid', domain: 'www.example.com', path: '/' }] },
  ],
  '/backTransfer': ['unread', {}, { backTransfer: true }],
  '/frontEnd': ['unread', {}, { frontEnd: 'nginx' }],
  '/forward/cookies': ['exchanges', {}, { forward: { cookies: 'scoped' } }],
  '/forward/alsoCookies': [
    'exchanges',
    { forward: { cookies: 'scoped' } },
    { forward: { cookies: 'scoped', alsoCookies: ['a'] } },
  ],
  '/forward/clientAddress': ['exchanges', {}, { forward: { clientAddress: 'omit' } }],
  '/listen/host': ['restart', {}, { listen: { host: '::1' } }],
  '/listen/port': ['restart', {}, { listen: { port: 1 } }],
  '/listen/reusePort': ['restart', {}, { listen: { reusePort: true } }],
  '/listen/trustedProxies': ['exchanges', {}, { listen: { trustedProxies: [] } }],
  '/listen/tls/cert': [
    'listener',
    { listen: { tls: TLS } },
    { listen: { tls: { ...TLS, cert: 'file:/b' } } },
  ],
  '/listen/tls/key': ['listener', { listen: { tls: TLS } }, { listen: { tls: { ...TLS, key: 'file:/b' } } }],
  '/admin/host': ['restart', {}, { admin: { host: '::1' } }],
  '/admin/port': ['restart', {}, { admin: { port: 1 } }],
  '/timeouts/connect': ['exchanges', {}, { timeouts: { connect: '1s' } }],
  '/timeouts/headers': ['exchanges', {}, { timeouts: { headers: '1s' } }],
  '/timeouts/idle': ['exchanges', {}, { timeouts: { idle: '1s' } }],
  '/timeouts/connectionAge': ['exchanges', {}, { timeouts: { connectionAge: '1s' } }],
  '/timeouts/drain': ['drain', {}, { timeouts: { drain: '1s' } }],
  '/limits/headerBytes': ['restart', {}, { limits: { headerBytes: 9_000 } }],
  '/limits/bodyBytes': ['exchanges', {}, { limits: { bodyBytes: 1 } }],
  '/limits/concurrentRequests': ['exchanges', {}, { limits: { concurrentRequests: 1 } }],
  '/limits/upstreamConnections': ['exchanges', {}, { limits: { upstreamConnections: 1 } }],
  '/log/level': ['log', {}, { log: { level: 'warn' } }],
  '/log/access': ['log', {}, { log: { access: false } }],
  '/log/clientAddress': ['log', {}, { log: { clientAddress: 'full' } }],
  '/suppress': ['unread', {}, { suppress: [{ rule: 'url/plain-http', reason: 'required' }] }],
}

describe('a reload applies or names every key', () => {
  it('knows every key of the schema', () => {
    const schema = JSON.parse(readFileSync(new URL('../../config.schema.json', import.meta.url), 'utf8'))
    expect(Object.keys(table).sort()).toEqual(leavesOf(schema, '').sort())
  })

  it.each(Object.entries(table))('%s', async (pointer, [effect, before, after]) => {
    const [from, to] = [await resolvedWith(before), await resolvedWith(after)]
    const named = findRestartPointers(from.config, to.config)
    // A section that can be switched off is named as a whole.
    const expected = pointer.startsWith('/admin/') ? '/admin' : pointer
    expect(named).toEqual(effect === 'restart' ? [expected] : [])
    expect(inspected(to) === inspected(from)).toBe(effect !== 'exchanges')
  })

  it('/timeouts/idle is named if the listener has TLS, whose handshakes keep the old one', async () => {
    const [from, to] = [
      await resolvedWith({ listen: { tls: TLS } }),
      await resolvedWith({ listen: { tls: TLS }, timeouts: { idle: '1s' } }),
    ]
    expect(findRestartPointers(from.config, to.config)).toEqual(['/timeouts/idle'])
  })

  it('TLS itself and the admin listener are named where they are switched on or off, with all others', async () => {
    const changes = { listen: { tls: TLS, port: 2 }, admin: null }
    const [from, to] = [await resolvedWith({}), await resolvedWith(changes)]
    const named = ['/listen/port', '/listen/tls', '/admin']
    expect(findRestartPointers(from.config, to.config)).toEqual(named)
  })
})

/** What exchanges read, as text: what a reload passes to them. The connections to the service stand for their settings. */
function inspected(resolved: ResolvedConfig): string {
  const { config, service, points, serviceCa } = resolved
  const settings = compileSettings(resolved)
  const { upstream: _connections, peerOf: _trust, points: table, ...plain } = settings
  const keys = points.map(({ widgetKey }) => widgetKey.reveal())
  const { limits, timeouts, listen } = config
  const ofConnections = [limits.upstreamConnections, timeouts.connectionAgeMs, listen.trustedProxies]
  const madeFrom = [service.url, serviceCa?.reveal(), ofConnections, keys]
  return inspect([plain, table, madeFrom], { depth: 20 })
}

async function resolvedWith(changes: object): Promise<ResolvedConfig> {
  const service = { url: 'http://127.0.0.1:1' }
  return resolvedConfigOf({ service, widgetKey: 'a-key', points: [POINT], ...changes }, async () => PEM)
}

/** JSON Pointers of the keys that hold no further keys; lists are keys of their own. */
function leavesOf(node: JsonSchema, pointer: string): string[] {
  const section = [node, ...(node.anyOf ?? [])].find(({ properties }) => properties !== undefined)
  if (section?.properties === undefined) return [pointer]
  return Object.entries(section.properties).flatMap(([key, each]) => leavesOf(each, `${pointer}/${key}`))
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
}

/** Good enough to be read: whether TLS can use it is judged elsewhere. */
const PEM = ['CERTIFICATE', 'PRIVATE KEY']
  .map((what) => `-----BEGIN ${what}-----\nAA==\n-----END ${what}-----\n`)
  .join('')
