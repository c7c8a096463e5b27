import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, openRoutedStage } from './support/front-end-stage.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { checkSite } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'
import { HOST } from './support/routed-front-end.ts'
import { varnishd, varnishSite } from './support/routing-servers.ts'
import { PREFIX } from './support/started-site.ts'

it.skipIf(varnishSite.isMissing).each(legalConfigs)(
  'varnish compiles what is rendered: %s',
  async (_what, config) => {
    const text = renderConfig('varnish', 'route', config)
    const { code, output } = await checkSite(varnishd(text, 0), varnishSite.toFiles(text, 0))
    expect(code, output.slice(-2_000)).toBe(0)
  },
)

const gzipped = gzipSync('a text that was gzipped by the service').toString('latin1')

/** What the service answers, by the last word of the path. */
const answers: Readonly<Record<string, string>> = {
  gzip: `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${gzipped.length}\r\n\r\n${gzipped}`,
  'many-fields': `HTTP/1.1 200 OK\r\n${Array.from({ length: 120 }, (_, i) => `Set-Cookie: c${i}=1\r\n`).join('')}Content-Length: 0\r\n\r\n`,
  'large-head': `HTTP/1.1 200 OK\r\n${Array.from({ length: 12 }, (_, i) => `Set-Cookie: c${i}=${'x'.repeat(4_000)}\r\n`).join('')}Content-Length: 0\r\n\r\n`,
  'large-field': `HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(50_000)}\r\nContent-Length: 0\r\n\r\n`,
}
const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nok'

describe.skipIf(varnishSite.isMissing).each([
  ['that trusts its neighbours', ['loopback'], '192.0.2.1, 127.0.0.1, 127.0.0.1'],
  ['that trusts no address', [], '127.0.0.1, 127.0.0.1'],
  ['that trusts others', ['192.0.2.0/24', '2001:db8::/32'], '127.0.0.1, 127.0.0.1'],
])('varnish %s, in front of serve', (_what, trustedProxies, forwardedFor) => {
  let stage: FrontEndStage

  beforeAll(async () => {
    stage = await openRoutedStage(
      varnishSite,
      // serve trusts Varnish, whatever Varnish trusts.
      { toPoints: () => [`http://${HOST}${PREFIX}`], rendered: { listen: { trustedProxies } } },
      ({ startLine }, socket) => {
        const [, word = ''] = /cookie_transfer\/(\S*)/.exec(startLine) ?? []
        socket.write(Buffer.from(answers[word] ?? PLAIN, 'latin1'))
      },
    )
  }, 60_000)
  afterAll(() => stage?.close())

  /** Gives the answer and what the service saw. */
  async function ask(path: string, lines = '') {
    const { answer, seen } = await stage.ask(`${PREFIX}${path}`, { host: HOST, lines })
    return { answer, seen: seen[0] ?? { fields: [] } }
  }

  it('sends the client’s address, and X-Forwarded-For only of peers that the config trusts', async () => {
    const { seen } = await ask('', 'X-Forwarded-For: 192.0.2.1\r\n')
    // serve adds Varnish itself.
    expect(valuesOf(seen, 'x-forwarded-for')).toEqual([forwardedFor])
  })

  it('leaves a gzipped body as it is, also for a client that did not ask for one', async () => {
    const { answer } = await ask('gzip')
    expect(valuesOf(answer, 'content-encoding')).toEqual(['gzip'])
    expect(answer.body).toBe(gzipped)
  })

  it('takes 200 field lines, and a cookie of 60 KiB', async () => {
    const fields = Array.from({ length: 200 }, (_, i) => `X-Field-${i}: ${i}\r\n`).join('')
    const many = await ask('', fields)
    expect(many.answer.startLine).toBe('HTTP/1.1 200 OK')
    expect(valuesOf(many.seen, 'x-field-199')).toEqual(['199'])
    const cookie = `a=${'x'.repeat(60 * 1024)}`
    expect(valuesOf((await ask('', `Cookie: ${cookie}\r\n`)).seen, 'cookie')).toEqual([cookie])
  })

  it.each([
    ['many-fields', 120],
    ['large-head', 12],
    ['large-field', 0],
    ['', 2],
  ])('returns a response with a large head: %s', async (path, cookies) => {
    const { answer } = await ask(path)
    expect(answer.startLine).toBe('HTTP/1.1 200 OK')
    expect(valuesOf(answer, 'set-cookie')).toHaveLength(cookies)
    expect(['', ...valuesOf(answer, 'x-large')].at(-1)).toHaveLength(path === 'large-field' ? 50_000 : 0)
  })
})
