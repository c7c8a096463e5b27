import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { observePages } from '../../../src/check/ask/observe-pages.ts'
import { check } from '../../../src/check/check.ts'
import { gatherOfflineFacts } from '../../../src/check/offline-facts.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { Secret } from '../../../src/config/secret.ts'
import { networkProbe } from '../../../src/probe/network-probe.ts'
import { listen } from '../../support/listen.ts'
import { aConfig, prefix } from '../a-config.ts'

const KEY = 'key-1234'
const PAGE = `<!doctype html><title>Shop</title><script>widget("${KEY}")</script>`

const asked: string[] = []
const { port, close } = await listen(createServer(answer))
afterAll(close)
const origin = `http://www.shop.localhost:${port}`

/** Below `/to/` the rest of the path is the Location, below `/status/` the status. */
function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const url = decodeURIComponent(incoming.url ?? '')
  asked.push(`${incoming.headers.host}${url}`)
  const [, kind, rest = ''] = /^\/(to|set|status|hop|as)\/(.*)$/s.exec(url) ?? []
  const count = Number(rest)
  if (url === '/gate') outgoing.writeHead(302, { Location: '/account/login?next=/gate' })
  else if (kind === 'to') outgoing.writeHead(302, { Location: rest })
  else if (kind === 'set') outgoing.writeHead(302, { Location: rest, 'Set-Cookie': 'seen=1' })
  else if (kind === 'status') outgoing.writeHead(count, { 'WWW-Authenticate': 'Basic' })
  else if (kind === 'as') {
    const { coding = 'identity', length, body } = bodies[rest] as Body
    outgoing.writeHead(200, { 'Content-Encoding': coding, 'Content-Length': length ?? body.length })
    outgoing.write(body)
    if (length === undefined) outgoing.end()
    else setImmediate(() => outgoing.destroy())
    return
  } else if (kind === 'hop' && count > 0) outgoing.writeHead(301, { Location: `/hop/${count - 1}` })
  outgoing.end(PAGE)
}

interface Body {
  readonly coding?: string
  /** As it is announced, if it is cut. */
  readonly length?: number
  readonly body: Buffer
}

/** Nobody can say what is in these. */
const unreadable: Readonly<Record<string, Body>> = {
  'an unknown coding': { coding: 'zstd', body: Buffer.from(PAGE) },
  'a coding that is not true': { coding: 'gzip', body: Buffer.from(PAGE) },
  'a coding twice': { coding: 'gzip, gzip', body: gzipSync(gzipSync(PAGE)) },
  'a cut body': { length: 5_000, body: Buffer.from('<html>') },
  'UTF-16': { body: Buffer.from(`\ufeff${PAGE}`, 'utf16le') },
  'a comment of 1 MiB': { body: Buffer.from(`<!--${' '.repeat(1_048_576)}-->${PAGE}`) },
}
const bodies: Readonly<Record<string, Body>> = {
  ...unreadable,
  'a long policy': {
    body: Buffer.from(
      `<meta http-equiv=Content-Security-Policy content="connect-src ${'a '.repeat(40_000)}">${PAGE}`,
    ),
  },
}

async function checkPage(path: string) {
  const config = aConfig({
    points: [`${origin}${prefix}`],
    pages: [`${origin}${path}`],
    service: 'http://127.0.0.1:1',
  })
  const facts = gatherOfflineFacts(config)
  const probe = networkProbe({ version: '0.0.0', overrides: [], trust: undefined, pausesMs: [] })
  asked.length = 0
  const pageVisits = await observePages(facts, { probe, api: undefined, widgetKeys: [new Secret(KEY)] })
  const { findings } = check({ ...facts, pageVisits }, rules, {
    only: ['page/unreachable', 'page/widget', 'page/csp'],
    skip: [],
    suppress: [],
  })
  return { findings, answer: [...pageVisits.values()][0] }
}

describe.sequential('a page', () => {
  it.each(Object.keys(unreadable))('in %s is not judged', async (name) => {
    const { findings } = await checkPage(`/as/${encodeURIComponent(name)}`)
    expect(findings.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['page/unreachable', 'pass'],
      ['page/widget', 'inconclusive'],
      ['page/csp', 'inconclusive'],
    ])
  })

  it('is not judged by a policy of more than 64 KiB', async () => {
    const { findings } = await checkPage(`/as/${encodeURIComponent('a long policy')}`)
    expect(findings.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'inconclusive'])
    expect(findings[2]?.message).toContain('longer than 64 KiB')
  })

  it.each([
    ['/', ['/']],
    ['/to//en/', ['/to//en/', '/en/']],
    ['/set//en/', ['/set//en/', '/en/']],
    ['/to//en/#top', ['/to//en/#top', '/en/']],
    ['/hop/5', ['/hop/5', '/hop/4', '/hop/3', '/hop/2', '/hop/1', '/hop/0']],
    ['/login', ['/login']],
    ['/to//authors/', ['/to//authors/', '/authors/']],
  ])('%s is opened as a browser does', async (path, paths) => {
    const { findings } = await checkPage(path.replace('#', '%23'))
    expect(asked.map(toPath)).toEqual(paths)
    expect(findings.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass'])
  })

  it('that redirects to another origin of the site is judged there, and noted', async () => {
    const other = origin.replace('www', 'start')
    const { findings, answer } = await checkPage(`/to/${other}/x`)
    expect(asked.map((each) => each.slice(0, 5))).toEqual(['www.s', 'start'])
    expect(answer).toMatchObject({ kind: 'response', url: `${other}/x` })
    expect(findings.map(({ outcome, severity }) => [outcome, severity])).toEqual([
      ['fail', 'info'],
      ['pass', 'warning'],
      ['pass', 'warning'],
    ])
    expect(findings[0]?.message).toBe(`The page redirects to ${other}, so no session starts on ${origin}`)
    expect(findings[0]?.fix?.what).toContain(`Write ${other}/x in place of ${origin}/to/`)
  })

  it.each([
    [
      '/to/http://www.other.localhost/',
      'fail',
      'The page redirects to another site, http://www.other.localhost',
    ],
    ['/to/https://login.other.localhost/x', 'inconclusive', 'log in (at https://login.other.localhost)'],
    ['/gate', 'inconclusive', 'log in (to /account/login)'],
    ['/status/401', 'inconclusive', 'log in (it answers 401)'],
    ['/status/429', 'inconclusive', 'answers 429'],
    ['/status/404', 'fail', 'The page answers 404'],
    ['/to//status/503', 'fail', 'The page answers 503, at http://www.shop.localhost:'],
    ['/to//to//to//', 'pass', ''],
    ['/hop/6', 'fail', 'more than 5 times'],
    ['/to/', 'fail', 'redirects in a circle'],
    ['/set/', 'inconclusive', 'redirects in a circle for a visitor without cookies'],
    [
      '/to/http://gone.shop.localhost:1/',
      'fail',
      'it redirects to http://gone.shop.localhost:1, and there the connection',
    ],
  ])('%s is %s: %s', async (path, outcome, message) => {
    const { findings } = await checkPage(path)
    expect(findings[0]).toMatchObject({ id: 'page/unreachable', outcome })
    if (outcome !== 'pass') expect(findings[0]?.message).toContain(message)
    const rest = outcome === 'fail' ? 'skipped' : outcome
    expect(findings.slice(1).map((each) => each.outcome)).toEqual([rest, rest])
  })

  it('reads the cookies of every redirect, without their values', async () => {
    const { answer } = await checkPage('/set//en/')
    expect(answer?.cookies).toEqual([{ url: `${origin}/set//en/`, line: 'seen=' }])
  })
})

function toPath(each: string): string {
  return each.slice(each.indexOf('/'))
}
