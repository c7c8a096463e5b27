import { describe, expect, it } from 'vitest'
import { renderRule } from '../../src/check/explain.ts'
import { printWholeFix, type Remedy, resolveFix } from '../../src/check/fix.ts'
import { recogniseFrontEnd } from '../../src/check/read/front-end.ts'
import type { LiveFact } from '../../src/check/read/live-fact.ts'
import { rules } from '../../src/check/rules/index.ts'
import type { Advice } from '../../src/front-ends/advisor.ts'
import { advisors } from '../../src/front-ends/advisors.ts'
import { advisor as apache } from '../../src/front-ends/apache/advisor.ts'
import { advisor as caddy } from '../../src/front-ends/caddy/advisor.ts'
import { advisor as haproxy } from '../../src/front-ends/haproxy/advisor.ts'
import { advisor as nginx } from '../../src/front-ends/nginx/advisor.ts'
import { isPoint, parsePoint } from '../../src/points/point.ts'
import type { ProbeReply } from '../../src/probe/probe.ts'

/** Rules that no front end can break: DNS and the account. */
const elsewhere = ['live/dns', 'live/allowed']

describe('the explanation', () => {
  const live = rules.filter(({ id }) => id.startsWith('live/') && !elsewhere.includes(id))

  it.each(live)('of $id says what to write in each front end', (rule) => {
    const text = renderRule(rule)
    for (const name of ['nginx', 'Apache', 'Caddy', 'HAProxy', 'mounted in an app'])
      expect(text).toMatch(new RegExp(`\\n  ${name}(?:, .+)?: \\S`))
    const isWide = (line: string) => line.length > 80 && !line.includes('https://')
    expect(text.split('\n').filter(isWide)).toEqual([])
  })
})

describe('a front end', () => {
  it.each([
    ['nginx', ['Server', 'nginx/1.22.1'], ''],
    ['nginx', ['Server', 'openresty'], ''],
    ['apache', ['Server', 'Apache/2.4.62 (Debian)'], ''],
    ['caddy', ['Via', '1.1 Caddy'], ''],
    ['haproxy', [], '<html><body><h1>503 Service Unavailable</h1>\nNo server is available'],
    ['nginx', [], '<html>\n<body>\n<center>nginx</center>'],
    [undefined, ['Server', 'gunicorn'], '<html><body>No</body></html>'],
  ])('is recognised as %s by %j %j', (name, fields, body) => {
    const known = name === undefined ? undefined : { nginx, apache, caddy, haproxy }[name]
    expect(recogniseFrontEnd(toFact({ kind: 'response', status: 503, fields, body }))).toBe(known)
  })

  it('is not recognised by the service’s own fields', () => {
    const reply = { kind: 'response', status: 200, fields: ['Server', 'nginx'], body: '' } as const
    expect(recogniseFrontEnd(toFact(reply, reply))).toBeUndefined()
  })

  it('that is named or else recognised has its line alone', () => {
    const numbers = new Map<Advice, string>(advisors.map((advisor, index) => [advisor, `${index + 1}`]))
    const remedy: Remedy = (advice) => numbers.get(advice) ?? ''
    const fact = toFact({ kind: 'response', status: 200, fields: ['Server', 'Caddy'], body: '' })
    expect(printWholeFix(resolveFix({ what: 'Do', remedy }, fact))).toBe('Do • Caddy: 3')
    expect(printWholeFix(resolveFix({ what: 'Do', remedy }))).toBe(
      'Do • nginx: 1 • Apache: 2 • Caddy: 3 • HAProxy: 4 • mounted in an app: 5',
    )
    expect(printWholeFix(resolveFix({ what: 'Do', remedy }, fact, 'haproxy'))).toBe('Do • HAProxy: 4')
    expect(printWholeFix(resolveFix({ what: 'Do', remedy }, fact, 'node'))).toBe('Do • mounted in an app: 5')
  })
})

function toFact(reply: ProbeReply, bare?: ProbeReply): LiveFact {
  const point = parsePoint('https://www.example.com/service_cookie_transfer/', '/service_cookie_transfer/')
  if (!isPoint(point)) throw new Error('It is no point')
  const question = {
    purpose: 'verification',
    marker: 'm',
    method: 'GET',
    rest: '',
    fields: [],
    body: undefined,
  } as const
  return {
    point,
    observedAtMs: 0,
    reach: { resolution: { kind: 'unresolved', code: 'ENOTFOUND' }, attempts: [] },
    observations: [{ question, reply, direct: undefined }],
    bare,
    serviceAuthority: undefined,
    servicePath: '/service_cookie_transfer/',
    widgetKeySha256: undefined,
  }
}
