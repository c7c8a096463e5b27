import { describe, expect, it } from 'vitest'
import { toWanted } from '../../../src/account/wanted.ts'
import { createClient } from '../../../src/api/client.ts'
import { chooseExitCode } from '../../../src/check/summary.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { badAnswers } from '../../support/front-ends/bad-answers.ts'
import { badRequests } from '../../support/front-ends/bad-requests.ts'
import { on, set } from '../../support/front-ends/faults.ts'
import { type Faults, startFrontEnd } from '../../support/front-ends/front-end.ts'
import { harmlessFrontEnds } from '../../support/front-ends/harmless-front-ends.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { aConfig, prefix } from '../a-config.ts'
import { saidOptions } from '../an-account.ts'
import { checkBehind, type LiveChecked, liveCheck, openSandbox, outcomesOf } from './live-check.ts'

/** A page of the same site on another origin, which the account lists too. */
const otherPage = 'http://pay.www.shop.localhost:1'

const sandbox = await openSandbox()

describe.sequential('a front end', () => {
  it.each([...badRequests, ...badAnswers])(
    'that $name is blamed for $blamed alone',
    async ({ faults, blamed, across }) => {
      const checked = await checkFrontEnd(faults, across ? 'across' : 'same-origin')
      const { failed, findings } = checked
      expect(failed).toEqual(blamed)
      expect(strayReasons(checked)).toEqual([])
      const open = findings.filter(({ outcome }) => outcome === 'crashed' || outcome === 'inconclusive')
      expect(open).toEqual([])
    },
  )

  it.each(harmlessFrontEnds)('that $name is not blamed', async ({ faults }) => {
    const { failed, findings } = await checkFrontEnd(faults, 'across')
    expect(failed).toEqual([])
    const rest = findings.filter(({ id, outcome }) => id.startsWith('live/') && outcome !== 'pass')
    expect(rest.map(({ id }) => id)).toEqual(['live/tls'])
  })

  it('that redirects the point itself gets no more questions', async () => {
    const checked = await checkFrontEnd(
      { answer: () => ({ status: 301, fields: ['Location', '/'] }) },
      'same-origin',
    )
    expect(outcomesOf(checked)).toMatchObject({
      'live/connect': 'pass',
      'live/redirect': 'fail',
      'live/forwarded': 'skipped',
      'live/origin': 'skipped',
      'live/cached': 'skipped',
    })
    expect(checked.find('live/origin')?.message).toBe('because live/redirect failed')
    expect(checked.seen).toHaveLength(1)
  })

  it('is not blamed for an origin that the service does not allow', async () => {
    const checked = await checkBehind(sandbox, {}, () => ({ pages: [`${otherPage}/`] }))
    expect(checked.failed).toEqual([])
    expect(checked.find('live/cors')).toMatchObject({ outcome: 'inconclusive' })
    expect(checked.find('live/cors')?.message).toContain(`does not allow ${otherPage}`)
  })

  it.each([
    ['is valid, as in the options of another one', true, 'fail'],
    ['no longer lists the point', false, 'skipped'],
  ] as const)(
    'that the service does not allow is reported once, if the account %s',
    async (_what, listed, outcome) => {
      sandbox.setAccount(demoAccount({ cookie_transfer_urls: [] }))
      const checked = await checkBehind({ url: sandbox.url }, {}, (origin) => {
        const points = [`${origin}${prefix}`]
        const { wanted } = toWanted(aConfig({ points }))
        return { account: saidOptions({ ...wanted, cookie_transfer_urls: listed ? points : [] }) }
      })
      expect(checked.find('account/url-not-registered')?.outcome).toBe(listed ? 'pass' : 'fail')
      expect(checked.find('live/allowed')?.outcome).toBe(outcome)
    },
  )

  it("that sends another customer's key is blamed for it, though that account lists the point", async () => {
    const clients = [{ company_name: 'Other', rest_key: 'r', widget_key: 'other-key' }]
    const other = await openForTest(startSandbox({ seed: { clients } }))
    const faults = set('X-Widget-Key', 'other-key')
    const frontEnd = await openForTest(startFrontEnd(other.url, { faults }))
    const point = `${frontEnd.origin}${prefix}`
    const settings = { cookie_transfer_enabled: true, cookie_transfer_proxying: true }
    const client = createClient({ baseUrl: `${other.url}/v2`, apiKey: 'r' })
    await client.options.change({ ...settings, cookie_transfer_urls: [point] })
    const given = { points: [point], service: other.url }
    const right = await liveCheck({ ...given, widgetKey: 'other-key' })
    expect(right.find('live/widget-key')?.outcome).toBe('pass')
    const checked = await liveCheck({ ...given, widgetKey: 'demo-widget-key' })
    expect(checked.failed).toEqual(['live/widget-key'])
  })

  it('with the keys of two accounts is judged by what the service says', async () => {
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: [] }))
    const account = { kind: 'two-accounts' } as const
    const checked = await checkBehind({ url: sandbox.url }, {}, () => ({ account }))
    expect(checked.find('account/other-account')?.outcome).toBe('fail')
    expect(checked.find('live/allowed')?.outcome).toBe('fail')
  })

  it('is told where to forward if the config does not name the service', async () => {
    const checked = await checkBehind(sandbox, { faults: { answer: () => ({ status: 404 }) } })
    const { what, otherwise } = checked.find('live/forwarded')?.fix ?? {}
    expect(`${what}, or ${otherwise}`).toMatch(
      /^Before any other rule of the site, forward everything below \S+ to <SERVICE_HOST>, as render --mode forward prints it, or to serve, as render and the line below do, or if it does, put "service.url" and /,
    )
  })

  it('that forwards one point without serve is told how to forward the other', async () => {
    const faults = on(/shop/, { status: 404 })
    const toGiven = (origin: string) => ({ points: ['', '/shop'].map((path) => `${origin}${path}${prefix}`) })
    const { findings } = await checkBehind(sandbox, { faults }, toGiven)
    const failure = findings.find(({ id, outcome }) => id === 'live/forwarded' && outcome === 'fail')
    expect(failure?.fix?.lines).toEqual([])
  })

  it.each<[string, NonNullable<Faults['closes']>, string[]]>([
    ['every question but the first', (_arrived, asked) => asked > 1, ['live/methods']],
    ['POST and PATCH', ({ method }) => ['POST', 'PATCH'].includes(method), ['live/methods']],
    [
      'test resources and cookies',
      ({ target }) => /-(?:redirect|setcookie|cookie|cors0)$/.test(target),
      ['live/redirect'],
    ],
    [
      'cookies and what follows',
      ({ target }) => /-(?:cookie|nonce1|cors0)$/.test(target),
      ['live/set-cookie'],
    ],
    [
      'Set-Cookie and what follows',
      ({ target }) => /-(?:setcookie|cors0)$/.test(target),
      ['live/set-cookie'],
    ],
  ])('that closes the connection on %s is one fault', async (_what, closes, blamed) => {
    const checked = await checkFrontEnd({ closes }, 'across')
    expect(checked.failed).toEqual(blamed)
    expect(strayReasons(checked)).toEqual([])
    expect(checked.findings.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
  })

  it('that closes the connection once on a repeatable question is not blamed', async () => {
    const closed = new Set<string>()
    const closes: Faults['closes'] = ({ method, target }) => {
      const isFirst = !closed.has(`${method} ${target}`)
      closed.add(`${method} ${target}`)
      return isFirst && method === 'GET'
    }
    expect((await checkFrontEnd({ closes }, 'same-origin')).failed).toEqual([])
  })

  it.each([
    ['now and then is asked again', '2', 4, 2000, 'pass'],
    ['now and then, and until a date, is asked again', 'Fri, 31 Dec 2049 23:59:59 GMT', 9, 5000, 'pass'],
    ['for good leaves the rest inconclusive', '600', 1, 5000, 'inconclusive'],
  ])('that limits the rate %s', async (_what, after, every, pauseMs, outcome) => {
    const pauses: number[] = []
    let asked = 0
    const answer: Faults['answer'] = () => {
      asked += 1
      const isLimited = asked > 1 && asked % every === 0
      return isLimited ? { status: 429, fields: ['Retry-After', after] } : undefined
    }
    const probe = { pause: async (ms: number) => pauses.push(ms) }
    const checked = await checkBehind(sandbox, { faults: { answer } }, () => ({ probe }))
    expect(checked.failed).toEqual([])
    expect(new Set(pauses)).toEqual(new Set([pauseMs]))
    for (const id of ['redirect', 'methods', 'set-cookie', 'cached', 'header-size']) {
      const { outcome: found, message } = checked.find(`live/${id}`) ?? {}
      expect([id, found]).toEqual([id, outcome])
      if (outcome === 'inconclusive') expect(message).toContain('A rate limit')
    }
  })

  // What is limited only at first is in asker.test.ts.
  it.each([
    [429, 'inconclusive', 3],
    [503, 'fail', 1],
  ])('that limits the rate from the first question on with %i is %s', async (status, outcome, code) => {
    const answer = () => ({ status, fields: ['Retry-After', '1'] })
    const checked = await checkFrontEnd({ answer }, 'same-origin')
    expect(checked.find('live/forwarded')?.outcome).toBe(outcome)
    expect(chooseExitCode(checked.findings, 'error')).toBe(code)
    expect(checked.seen).toHaveLength(3)
  })

  it('is shown with the title and the fields that tell who answered', async () => {
    const fields = [
      'Content-Type',
      'text/html',
      'Server',
      'cloudflare',
      'cf-mitigated',
      'challenge',
      'Via',
      '1.1 edge',
    ]
    const body = Buffer.from('<title>Just a moment...</title>')
    const { find } = await checkFrontEnd({ answer: () => ({ status: 200, fields, body }) }, 'same-origin')
    expect(find('live/forwarded')?.evidence).toMatchObject({
      title: 'Just a moment...',
      server: ['cloudflare'],
      fields: ['via: 1.1 edge', 'cf-mitigated: challenge'],
    })
  })

  it('gets at most 60 requests', async () => {
    const { seen } = await checkFrontEnd({}, 'across')
    expect(seen.length).toBeGreaterThan(15)
    expect(seen.length).toBeLessThanOrEqual(60)
  })
})

/** The live rules that skipped findings name as their reason, though they did not fail. */
function strayReasons({ findings, failed }: LiveChecked): readonly string[] {
  const reasons = findings.flatMap(({ because }) => because ?? [])
  return reasons.filter((id) => id.startsWith('live/') && !failed.includes(id))
}

function checkFrontEnd(faults: Faults, where: 'same-origin' | 'across') {
  const service = sandbox.url
  const others = where === 'across' ? [`${otherPage}/`] : []
  return checkBehind(sandbox, { faults, listed: [`${otherPage}${prefix}`] }, (origin) => ({
    pages: [`${origin}/`, ...others],
    service,
    widgetKey: 'demo-widget-key',
  }))
}
