import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { drop, noBody, on, replacing, set, strippingLargeCookies } from '../../support/front-ends/faults.ts'
import { type Faults, firstOf, WIDGET_KEY } from '../../support/front-ends/front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import {
  attentive,
  closed,
  marked,
  opaque,
  restless,
  type Service,
  silent,
  sparse,
  startService,
  strict,
  talkative,
} from '../../support/other-service.ts'
import { prefix } from '../a-config.ts'
import { checkBehind, outcomesOf } from './live-check.ts'

describe('a service that does not report what arrived', () => {
  it.each<[string, Service, Faults, Record<string, string>]>([
    [
      'is recognised by its text',
      talkative,
      {},
      {
        forwarded: 'pass',
        origin: 'pass',
        'widget-key': 'pass',
        allowed: 'inconclusive',
        methods: 'inconclusive',
        'set-cookie': 'inconclusive',
        'header-size': 'inconclusive',
        cors: 'pass',
        cached: 'inconclusive',
        redirect: 'inconclusive',
      },
    ],
    [
      'that refuses preflights itself leaves the front end without blame',
      closed,
      {},
      { cors: 'inconclusive' },
    ],
    [
      'that says the same to everyone leaves the fields inconclusive',
      silent,
      {},
      { forwarded: 'pass', origin: 'inconclusive', 'widget-key': 'inconclusive', methods: 'inconclusive' },
    ],
    [
      'that never answers the same is not recognised',
      restless,
      {},
      { forwarded: 'inconclusive', origin: 'inconclusive', methods: 'inconclusive' },
    ],
    [
      'with a verification page is recognised by its marks',
      marked,
      {},
      { forwarded: 'pass', origin: 'pass', 'widget-key': 'pass', allowed: 'pass' },
    ],
    [
      'that knows no page for a wrong key shows one',
      strict,
      set('X-Widget-Key', 'x'),
      { forwarded: 'pass', 'widget-key': 'fail' },
    ],
    [
      'that answers a wrong key as a wrong origin gets one finding',
      {
        words: (origin, key) =>
          origin?.includes('shop') && key === WIDGET_KEY ? 'This is the end' : 'Not you',
      },
      set('X-Widget-Key', 'x'),
      { forwarded: 'pass', origin: 'inconclusive', 'widget-key': 'fail' },
    ],
    ...[marked, talkative].map((service): [string, Service, Faults, Record<string, string>] => [
      'that says so of each shows that neither arrives',
      service,
      drop('x-widget-key', 'x-continuation-origin'),
      { forwarded: 'pass', origin: 'fail', 'widget-key': 'fail' },
    ]),
    [
      'that has nothing below its page shows that a body is too large for the front end',
      sparse,
      on(/^POST .*-body2048/, { status: 413 }),
      { 'body-size': 'fail' },
    ],
    [
      'that has nothing below its page is not blamed for the site in its place, nor for what caches may do with that',
      sparse,
      on(/fer\/check\//, { status: 404, fields: ['Content-Type', 'text/plain'] }),
      { methods: 'fail' },
    ],
    [
      'that refuses everybody leaves all open',
      { ...opaque, status: () => 403 },
      {},
      { forwarded: 'inconclusive' },
    ],
  ])('%s', async (_what, service, faults, expected) => {
    const { outcomes, failed } = await compare(service, faults)
    expect(outcomes).toMatchObject(toIds(expected))
    const blamed = Object.keys(toIds(expected)).filter((id) => toIds(expected)[id] === 'fail')
    expect([...failed].sort()).toEqual(blamed.sort())
  })

  const lies: readonly [string, Faults][] = [
    ['does everything right', {}],
    ['strips every Cookie line', drop('cookie')],
    ['strips large Cookie lines', strippingLargeCookies],
    ['drops bodies', noBody],
    ['drops queries', replacing(/\?.*/, '')],
    ['turns every method into GET', { request: () => ({ method: 'GET' }) }],
  ]

  it.each(lies)(
    'leaves it inconclusive if it answers the same to everything, and the front end %s',
    async (_what, faults) => {
      const { outcomes, failed } = await compare(opaque, faults)
      expect(failed).toEqual([])
      expect(outcomes).toMatchObject(
        toIds({ methods: 'inconclusive', 'set-cookie': 'inconclusive', 'header-size': 'inconclusive' }),
      )
    },
  )

  // What else it shows is in messages.test.ts.
  it.each<[string, Faults, Record<string, string>, readonly string[]]>([
    [
      'does everything right',
      {},
      { methods: 'pass', 'set-cookie': 'inconclusive', 'header-size': 'pass', origin: 'inconclusive' },
      [],
    ],
    ['strips large Cookie lines', strippingLargeCookies, { methods: 'pass' }, ['live/header-size']],
  ])(
    'shows by the differences of its answers that the front end %s',
    async (_what, faults, expected, blamed) => {
      const { outcomes, failed } = await compare(attentive, faults)
      expect(outcomes).toMatchObject(toIds(expected))
      expect(failed).toEqual(blamed)
    },
  )

  it('gets no question and no key if the config does not name it', async () => {
    const checked = await checkBehind(await start(silent), {}, () => ({ widgetKey: WIDGET_KEY }))
    expect(checked.failed).toEqual([])
    expect(outcomesOf(checked)).toMatchObject(toIds({ forwarded: 'inconclusive', origin: 'inconclusive' }))
    expect(checked.find('live/forwarded')?.message).toContain('set "service.url"')
    expect(checked.seen).toHaveLength(1)
  })

  it('is asked without a key whether it is the stand-in, and then distinguished from the site', async () => {
    const sandbox = await openForTest(startSandbox())
    const { failed } = await checkBehind(sandbox, { faults: WELCOME }, () => ({ service: sandbox.url }))
    expect(failed).toEqual(['live/forwarded'])
  })

  it('that limits the rate of direct questions is waited for, and otherwise leaves it inconclusive', async () => {
    for (const [times, outcome] of [
      [1, 'pass'],
      [1000, 'inconclusive'],
    ] as const) {
      let limited = 0
      const status: Service['status'] = (_key, via) => {
        if (via !== undefined || limited >= times) return 200
        limited += 1
        return 429
      }
      const service = await start({ ...talkative, status })
      const request: Faults['request'] = ({ fields }) => ({ fields: [...fields, 'Via', '1.1 front'] })
      const given = { service: service.url, widgetKey: WIDGET_KEY }
      const checked = await checkBehind(service, { faults: { request } }, () => given)
      expect(checked.failed).toEqual([])
      expect(checked.find('live/forwarded')?.outcome).toBe(outcome)
    }
  })

  it.each<[string, string | undefined]>([
    ['with a key', WIDGET_KEY],
    ['without one', undefined],
  ])('without a page at the kept cookie path leaves it inconclusive, %s', async (_what, widgetKey) => {
    const sandbox = await openForTest(startSandbox())
    const request: Faults['request'] = (_forwarded, { target }) => ({ target })
    const checked = await checkBehind(sandbox, { faults: { request } }, (origin) => ({
      points: [`${origin}/shop${prefix}`],
      service: sandbox.url,
      source: { keepCookiePath: true },
      ...(widgetKey && { widgetKey }),
    }))
    expect(checked.failed).toEqual([])
    expect(checked.find('live/forwarded')).toMatchObject({
      outcome: 'inconclusive',
      message: expect.stringMatching(/^The service itself shows no page there .*service\.keepCookiePath/),
    })
  })

  it('on plain http elsewhere gets no key', async () => {
    const keys: (string | undefined)[] = []
    const service = await start({ words: (_origin, key) => `${keys.push(key)}` })
    await checkBehind(service, { faults: WELCOME }, () => ({
      service: service.url.replace('127.0.0.1', 'service.example'),
      resolve: ['service.example:127.0.0.1'],
      widgetKey: WIDGET_KEY,
    }))
    expect(keys).toEqual([undefined])
  })

  it('that can’t be reached directly leaves it inconclusive', async () => {
    const given = { service: 'http://127.0.0.1:1', widgetKey: WIDGET_KEY }
    const checked = await checkBehind(await start(silent), {}, () => given)
    expect(checked.failed).toEqual([])
    expect(outcomesOf(checked)).toMatchObject(toIds({ forwarded: 'inconclusive' }))
  })

  it('is the only one that gets the key', async () => {
    const service = await start(talkative)
    const keys: (string | undefined)[] = []
    const answer: Faults['answer'] = ({ fields }) => {
      keys.push(firstOf(fields, 'x-widget-key'))
      return undefined
    }
    const given = { service: service.url, widgetKey: WIDGET_KEY }
    await checkBehind(service, { faults: { answer } }, () => given)
    expect(keys.length).toBeGreaterThan(5)
    expect(keys).not.toContain(WIDGET_KEY)
  })
})

function start(service: Service) {
  return openForTest(startService(service))
}

async function compare(service: Service, faults: Faults) {
  const running = await start(service)
  const checked = await checkBehind(running, { faults }, (origin) => ({
    pages: [`${origin}/`, 'http://pay.www.shop.localhost:1/'],
    service: running.url,
    widgetKey: WIDGET_KEY,
  }))
  return { outcomes: outcomesOf(checked), failed: checked.failed }
}

const WELCOME: Faults = { answer: () => ({ body: Buffer.from('Welcome') }) }

function toIds(outcomes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(outcomes).map(([id, outcome]) => [`live/${id}`, outcome]))
}
