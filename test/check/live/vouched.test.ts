/*
 * Front ends before our own proxy, which vouches for what it passes on. `check` finds each fault, and leaves nothing open,
 * though the services behind it report nothing of what arrives.
 */

import { afterAll, describe, expect, it } from 'vitest'
import { describeProof } from '../../../src/check/report/conclusion.ts'
import { Secret } from '../../../src/config/secret.ts'
import { badAnswers } from '../../support/front-ends/bad-answers.ts'
import type { BadFrontEnd } from '../../support/front-ends/bad-front-end.ts'
import { badRequests } from '../../support/front-ends/bad-requests.ts'
import { drop } from '../../support/front-ends/faults.ts'
import { type Faults, WIDGET_KEY, withField } from '../../support/front-ends/front-end.ts'
import { harmlessFrontEnds } from '../../support/front-ends/harmless-front-ends.ts'
import { openForTest } from '../../support/open-for-test.ts'
import {
  attentive,
  austere,
  lavish,
  marked,
  opaque,
  restless,
  silent,
  startService,
} from '../../support/other-service.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { checkBehind, checkBehindProxy, checkBehindServe, outcomesOf } from './live-check.ts'

/** Our proxy sets these itself, whatever the front end does, and wants the Host of the site. */
const HARMLESS =
  /X-Continuation-Origin|X-Widget-Key|origin(?!al)|wrong key|the key|client's key|both fields|customer's Host/
/** What can't be seen if the service has nothing of it. */
const COOKIE_LINES = /Set-Cookie|of cookies|to cookies/
const SEVERAL_LINES = /[jJ]oins Set-Cookie|one Set-Cookie|last Set-Cookie|reorders|Domain of cookies/
const LOCATION = /Location|follows/
const CACHES = /^caches/
/** No other service is asked for long answers and for errors. */
const LEFT_OUT = /^cuts answers|^has error pages/

/** What is not transport: only the service can say it. */
const OPEN = ['live/allowed']

/** Before these two services each fault is tried; before the others each fifth one, so that each meets one of them. */
const EACH = () => true
const EACH_FIFTH = (first: number) => (_fault: BadFrontEnd, at: number) => at % 5 === first

describe.each([
  ['answers the same to everything', opaque, EACH, [SEVERAL_LINES, LOCATION, CACHES]],
  ['answers differently to all that differs', attentive, EACH, [SEVERAL_LINES, LOCATION, CACHES]],
  ['answers the same, with many cookies and redirects', lavish, EACH_FIFTH(0), [CACHES]],
  ['answers the same, without any cookie', austere, EACH_FIFTH(1), [COOKIE_LINES, LOCATION]],
  ['answers the same, but has no DELETE', silent, EACH_FIFTH(2), [SEVERAL_LINES, LOCATION, CACHES]],
  [
    'never answers the same',
    restless,
    EACH_FIFTH(3),
    [SEVERAL_LINES, LOCATION, CACHES, /^answers from the site/],
  ],
  ['has a verification page', marked, EACH_FIFTH(4), [SEVERAL_LINES, LOCATION, CACHES]],
] as const)('before a proxy whose service %s, a front end', async (_what, service, isTried, unseen) => {
  const running = await startService(service)
  const proxy = await startProxy(running.url)
  afterAll(async () => {
    await proxy.close()
    await running.close()
  })

  const checkThrough = (faults: Faults, across?: true) =>
    checkBehindProxy(running, proxy, faults, (origin) => ({
      pages: [`${origin}/`, ...(across ? ['http://pay.www.shop.localhost:1/'] : [])],
      source: { restKey: new Secret('rest-key') },
    }))

  it.each(harmlessFrontEnds)('that $name passes everything', async ({ faults }) => {
    const checked = await checkThrough(faults)
    expect(checked.failed).toEqual([])
    const open = checked.findings.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)
    expect(open.filter((id) => !OPEN.includes(id))).toEqual([])
    const notes = [
      ...checked.findings.map(({ message }) => message),
      ...checked.notJudged.map(({ next }) => next),
    ]
    // All of that is there already.
    expect(notes.join('\n')).not.toMatch(
      /the (?:widget|REST) key|"service\.url"|put continuation-point serve/,
    )
  })

  const isSeen = ({ name }: BadFrontEnd) => ![HARMLESS, LEFT_OUT, ...unseen].some((each) => each.test(name))

  it.each([...badRequests, ...badAnswers].filter(isTried).filter(isSeen))(
    'that $name is found',
    async ({ faults, blamed, across }) => {
      const outcomes = outcomesOf(await checkThrough(faults, across))
      const failed = Object.keys(outcomes).filter((id) => outcomes[id] === 'fail')
      // The question arrives, at the place that the redirect leads to.
      expect(failed.sort()).toEqual(faults.follows ? ['live/methods'] : [...blamed].sort())
    },
  )
})

it.each([[{}], [{ source: { widgetKeyOf: () => undefined } }]])(
  'what refuses even a right request is not green: %j',
  async (given) => {
    const { failed, find } = await checkBehindServe({ ...opaque, status: () => 403 }, {}, () => given)
    expect(failed).toEqual([])
    expect(find('live/forwarded')?.message).toMatch(/^Asked directly, .*403/)
    expect(find('live/widget-key')?.outcome).toBe('inconclusive')
  },
)

it('no key is needed: a proxy with another one vouches too', async () => {
  const checked = await checkBehindServe(opaque, {}, undefined, { widgetKey: 'other' })
  expect(outcomesOf(checked)).toMatchObject({ 'live/methods': 'pass', 'live/set-cookie': 'pass' })
})

it.each<[string, Faults, string[]]>([
  ['all is right', {}, []],
  ['its cookies are dropped', drop('cookie'), ['live/set-cookie']],
  [
    'its status is changed',
    {
      response: ({ status }) =>
        status === 200 ? { status: 302, fields: withField([], 'Location', '/login') } : {},
    },
    ['live/redirect'],
  ],
])('before a proxy that forwards listed cookies alone %s', async (_what, faults, failed) => {
  const forward = { cookies: 'scoped', alsoCookies: ['sid'] }
  const given = { source: { cookieName: 'sid' } }
  const checked = await checkBehindServe(opaque, faults, () => given, { forward })
  expect(checked.failed).toEqual(failed)
})

it('the report counts what is proven, and by what', async () => {
  const behind = await checkBehindServe(attentive)
  expect(describeProof(behind.findings)).toBe('10 confirmed by continuation-point, 1 by comparison')
  const running = await openForTest(startService(attentive))
  const given = { service: running.url, widgetKey: WIDGET_KEY }
  const compared = await checkBehind(running, {}, () => given)
  expect(describeProof(compared.findings)).toMatch(/^\d confirmed by comparison$/)
})
