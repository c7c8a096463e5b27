import { describe, expect, it } from 'vitest'
import { on, sitesHost } from '../../support/front-ends/faults.ts'
import { type Faults, WIDGET_KEY } from '../../support/front-ends/front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { opaque, type Service, startService, strict, talkative } from '../../support/other-service.ts'
import { checkBehind, openSandbox, outcomesOf } from './live-check.ts'

const whole = { forwards: () => true }
const besidePoint = { forwards: (target: string) => target.startsWith('/service_cookie_transferx') }

describe('before the stand-in', async () => {
  const sandbox = await openSandbox()

  it.each<[string, Faults, string | undefined]>([
    ['forwards only the point', {}, undefined],
    ['forwards the whole site', whole, 'The whole site is forwarded to the service, with all its cookies'],
    [
      'forwards a longer name too',
      besidePoint,
      'More than the point is forwarded to the service, with the cookies of the site',
    ],
    [
      'has no page either, and says so in the words of the service',
      on(/^GET \/(?:[?]|$)/, {
        status: 404,
        fields: ['Content-Type', 'text/plain'],
        body: Buffer.from('Nothing is here.'),
      }),
      undefined,
    ],
  ])('a front end that %s', async (_what, faults, message) => {
    const checked = await checkBehind(sandbox, { faults }, (origin) => ({ pages: [`${origin}/`] }))
    const finding = checked.find('live/outside')
    expect(finding).toMatchObject(message === undefined ? { outcome: 'pass' } : { outcome: 'fail', message })
    if (message !== undefined)
      expect(checked.findings.find(({ outcome }) => outcome === 'fail')).toBe(finding)
  })
})

it('is judged where the point is forwarded wrongly too, and comes first', async () => {
  const sandbox = await openSandbox()
  const { findings } = await checkBehind(sandbox, { faults: { ...whole, ...sitesHost } })
  const failed = findings.flatMap(({ id, outcome }) => (outcome === 'fail' ? id : []))
  expect(failed).toEqual(['live/outside', 'live/forwarded'])
})

describe('before a service that reports nothing', () => {
  it.each<[string, Service, Faults, 'pass' | 'fail' | 'inconclusive']>([
    ['the same everywhere, forwarded whole', opaque, whole, 'fail'],
    ['the same everywhere, forwarded as a point', opaque, {}, 'pass'],
    ['a few octets everywhere, forwarded whole', { ...opaque, words: () => 'ok' }, whole, 'fail'],
    ['few octets with an error, forwarded whole', { ...talkative, words: () => 'no' }, whole, 'inconclusive'],
    ['an error outside of its prefix, forwarded whole', talkative, whole, 'fail'],
    [
      'an error outside of its prefix, where the site has another, forwarded beside the point',
      talkative,
      {
        ...besidePoint,
        ...on(/^GET .continuation-point-check/, { status: 421, body: Buffer.from('Lost?') }),
      },
      'fail',
    ],
    ['no page for strangers, forwarded as a point', strict, {}, 'pass'],
    [
      'an error outside of its prefix, which the front page of the site has too',
      talkative,
      on(/^GET \/(?:[?]|$)/, {
        status: 421,
        fields: ['Content-Type', 'text/html; charset=utf-8'],
        body: Buffer.from('<p>known account, your site</p>'),
      }),
      'pass',
    ],
  ])('that answers %s', async (_what, service, faults, expected) => {
    const running = await openForTest(startService(service))
    const checked = await checkBehind(running, { faults }, (origin) => ({
      pages: [`${origin}/`],
      service: running.url,
      widgetKey: WIDGET_KEY,
    }))
    expect(outcomesOf(checked)['live/outside']).toBe(expected)
  })
})
