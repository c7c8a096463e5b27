/*
 * The broken front ends of the other tests, in front of services that report nothing. `check` may not see a fault there,
 * but never says that the rule passed.
 */

import { afterAll, describe, expect, it } from 'vitest'
import { badAnswers } from '../../support/front-ends/bad-answers.ts'
import type { BadFrontEnd } from '../../support/front-ends/bad-front-end.ts'
import { badRequests } from '../../support/front-ends/bad-requests.ts'
import { type Faults, WIDGET_KEY } from '../../support/front-ends/front-end.ts'
import { harmlessFrontEnds } from '../../support/front-ends/harmless-front-ends.ts'
import { attentive, marked, opaque, startService, talkative } from '../../support/other-service.ts'
import { checkBehind, outcomesOf } from './live-check.ts'

/** Faults that change no answer of these services, and the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'turns HEAD into GET': 'RFC 9110 section 9.3.2: the answer to both is the same',
  'drops what a preflight asks for': 'the service allows the same whatever a preflight asks for',
  'drops which fields a preflight asks for': 'the same',
  'forwards to another path of the service': 'it has the same page on every path; live/methods is for paths',
}

/** Before two services each fault is tried; before the others each second one, so that each meets one of them. */
const EACH = () => true
const EACH_SECOND = (first: number) => (_fault: BadFrontEnd, at: number) => at % 2 === first

describe.each([
  ['answers the same to everything', opaque, EACH],
  ['answers differently to all that differs', attentive, EACH],
  ['knows its accounts and sites', talkative, EACH_SECOND(0)],
  ['has a verification page', marked, EACH_SECOND(1)],
] as const)('in front of a service that %s, a front end', async (_what, service, isTried) => {
  const running = await startService(service)
  afterAll(() => running.close())

  const check = (faults: Faults, across: true | undefined = undefined) =>
    checkBehind(running, { faults }, (origin) => ({
      pages: [`${origin}/`, ...(across ? ['http://pay.www.shop.localhost:1/'] : [])],
      service: running.url,
      widgetKey: WIDGET_KEY,
    }))

  it.each([...badRequests, ...badAnswers].filter(isTried).filter(({ name }) => !(name in WITHOUT_EFFECT)))(
    'that $name does not pass $blamed',
    async ({ faults, blamed, across }) => {
      const outcomes = outcomesOf(await check(faults, across))
      expect(blamed.filter((id) => outcomes[id] === 'pass')).toEqual([])
    },
  )

  it.each(harmlessFrontEnds)('that $name is not blamed', async ({ faults }) => {
    expect((await check(faults)).failed).toEqual([])
  })
})
