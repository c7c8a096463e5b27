import { describe, expect, it } from 'vitest'
import { judgeCarried, summarise } from '../../../src/sandbox/session/summary.ts'
import { demoAccount } from '../../../src/sandbox/state/account.ts'
import { beginVisit } from '../../../src/sandbox/state/begin-visit.ts'
import { takeStep, type Visit, type VisitPoint } from '../../../src/sandbox/state/visit.ts'
import { isAwaitingReturn, sendBack, storeCookies } from '../../../src/sandbox/state/visit-cookies.ts'
import { aVisit, CHECKOUT_URL, ROOT_URL, SCOPES, SITE, START, sessionOf, type VisitSetup } from './a-visit.ts'

describe('what the widget transfers', () => {
  it('is what a script can read: listed cookies, and others', () => {
    const visit = aVisit({ start: { cookies: READABLE } })
    expect(valuesOf(visit)).toEqual({ sid: undefined, basket: undefined, look: 'warm', extra: '1' })
  })

  it('leaves out scopes of other sites and scopes that no browser stores', () => {
    const odd = [
      { name: 'far', domain: 'www.other.localhost', path: '/', httponly: false },
      { name: 'a b', domain: 'www.shop.localhost', path: '/', httponly: true },
      { name: 'line', domain: 'www.shop.localhost', path: '/\r\nX: y', httponly: true },
    ]
    const visit = aVisit({ settings: { cookie_transfer_scopes: [...SCOPES, ...odd] } })
    expect(Object.keys(valuesOf(visit))).toEqual(['sid', 'basket', 'look'])
  })

  it('takes scopes of every host of the site, as the Public Suffix List has it', () => {
    const domains = ['.example.co.uk', 'pay.example.co.uk', '.other.co.uk', '.co.uk', 'example.co.uk']
    const account = demoAccount({
      cookie_transfer_urls: ['https://www.example.co.uk/service_cookie_transfer/'],
      cookie_transfer_scopes: domains.map((domain) => ({ name: domain, domain, path: '/', httponly: true })),
    })
    const start = { ...START, pageUrl: 'https://www.example.co.uk/', cookies: [] }
    const visit = beginVisit(start, 'http://127.0.0.1:9090', account.settings)
    expect(visit.cookies.map(({ scope }) => scope.name)).toEqual([
      '.example.co.uk',
      'pay.example.co.uk',
      'example.co.uk',
    ])
  })

  it('is no cookie at all if cookie transfer is off in the account', () => {
    const entries = [{ kind: 'localStorage', name: 'list', value: '1' }] as const
    const settings = { cookie_transfer_enabled: false }
    const visit = aVisit({ start: { cookies: READABLE, entries }, settings })
    expect(valuesOf(visit)).toEqual({ sid: undefined, basket: undefined, look: undefined })
    const rows = judgeCarried(visit, sessionOf(visit), false)
    const off = 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled).'
    expect(rows.map(({ carried, how }) => [carried, how])).toEqual([
      ['missing', off],
      ['missing', off],
      ['missing', off],
      ['widget', 'The widget read it in the page.'],
    ])
    for (const each of [visit, aVisit({ settings: { ...settings, cookie_transfer_scopes: [] } })]) {
      const summary = { headline: 'No cookie is in the session', verdict: 'fail' }
      expect(summarise(sessionOf(each), false)).toMatchObject(summary)
    }
  })

  it.each([
    [`${SITE}/`, [CHECKOUT_URL], 'on'],
    [`${SITE}/`, [ROOT_URL.replace('www', 'pay')], 'page-without-point'],
    [`${SITE}/`, [ROOT_URL.replace('8080', '8081')], 'page-without-point'],
    ['http://www.other.localhost:8080/', [ROOT_URL], 'page-without-point'],
  ] as const)('is carried on a page without a point too: %s with %j is %s', (pageUrl, urls, continuation) => {
    const visit = aVisit({ start: { pageUrl }, settings: { cookie_transfer_urls: urls } })
    expect(visit.continuation).toBe(continuation)
    expect(valuesOf(visit)).toMatchObject({ look: 'warm' })
  })

  it.each([
    ['cookie_transfer_enabled', 'transfer-off', 'no-continuation'],
    ['cookie_transfer_proxying', 'points-off', 'no-continuation'],
    ['enable_cookie_backtransfer', 'on', 'switched-off'],
  ])('is limited by the account: %s off', (option, continuation, reason) => {
    const visit = aVisit({ settings: { [option]: false } })
    expect(visit.continuation).toBe(continuation)
    expect(visit.backTransfer).toBe(reason)
  })
})

describe('what a point carries', () => {
  const nothing = { sid: undefined, basket: undefined, look: 'warm' }

  it.each([
    ['the checkout', 1, ['basket=b; sid=1'], ['basket', 'sid'], { ...nothing, sid: '1', basket: 'b' }],
    ['two lines', 1, ['basket=b', 'sid=1'], ['basket', 'sid'], { ...nothing, sid: '1', basket: 'b' }],
    ['what it can’t receive', 0, ['basket=b'], [], nothing],
    ['unlisted cookies', 0, ['other=1; =x; y'], [], nothing],
    ['no cookie', 0, [], [], nothing],
    ['a name with white space', 0, [' sid = a=b= '], [], nothing],
    ['base64, and what the widget has', 0, ['sid=YQ==; look=cold'], ['sid'], { ...nothing, sid: 'YQ==' }],
  ])('%s', (_name, pointIndex, lines, stored, values) => {
    const visit = aVisit()
    expect(storeCookies(visit, pointOf(visit, pointIndex), lines)).toEqual(stored)
    expect(valuesOf(visit)).toEqual(values)
  })

  it('has one name on two paths twice, the longest path first', () => {
    const twice = [
      { name: 'sid', domain: 'www.shop.localhost', path: '/', httponly: true },
      { name: 'sid', domain: 'www.shop.localhost', path: '/checkout', httponly: true },
    ]
    const visit = aVisit({ start: { cookies: [] }, settings: { cookie_transfer_scopes: twice } })
    storeCookies(visit, pointOf(visit, 1), ['sid=long; sid=short'])
    expect(visit.cookies.map(({ scope, value }) => [scope.path, value])).toEqual([
      ['/', 'short'],
      ['/checkout', 'long'],
    ])
  })
})

describe('back-transfer', () => {
  const off = (option: string): VisitSetup => ({
    start: { options: { ...START.options, [option]: false } },
  })

  it.each<[string, VisitSetup, string]>([
    ['all on, under the customer’s domain', {}, 'on'],
    ['switched off', off('enable_cookie_backtransfer'), 'switched-off'],
    ['points off', off('cookie_transfer_proxying'), 'no-continuation'],
    ['a foreign service', { serviceOrigin: 'http://app.cobrowse.localhost:9090' }, 'foreign-service'],
    ['localhost alone', { serviceOrigin: 'http://localhost:9090' }, 'foreign-service'],
  ])('%s', (_name, setup, judged) => {
    expect(aVisit(setup).backTransfer).toBe(judged)
  })

  it('sends each changed cookie through the first point that receives it, with its scope', () => {
    const visit = aTransferredVisit(0, 1)
    const [root, checkout] = [pointOf(visit, 0), pointOf(visit, 1)]
    expect(sendBack(visit, root).map(({ line }) => line)).toEqual([
      'look=cool; Path=/; Domain=shop.localhost; SameSite=Lax',
    ])
    expect(sendBack(visit, checkout)).toEqual([
      { name: 'basket', line: 'basket=globe; Path=/checkout; HttpOnly; SameSite=Lax' },
    ])
  })

  it('sends it again, since an answer may be lost', () => {
    const visit = aTransferredVisit(0)
    expect(isAwaitingReturn(visit)).toBe(true)
    const first = sendBack(visit, pointOf(visit, 1))
    expect(first).toHaveLength(1)
    expect(sendBack(visit, pointOf(visit, 1))).toEqual(first)
    expect(isAwaitingReturn(visit)).toBe(false)
  })

  it('marks cookies of an https site Secure', () => {
    const urls = [ROOT_URL, ROOT_URL.replace('http:', 'https:').replace('www', 'pay')]
    const visit = aVisit({
      start: { steps: [{ label: 'Pay', cookie: 'card', value: '2' }] },
      settings: {
        cookie_transfer_urls: urls,
        cookie_transfer_scopes: [{ name: 'card', domain: 'pay.shop.localhost', path: '/', httponly: true }],
      },
    })
    storeCookies(visit, pointOf(visit, 1), ['card=1'])
    takeStep(visit, 0)
    expect(sendBack(visit, pointOf(visit, 1)).map(({ line }) => line)).toEqual([
      'card=2; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
  })
})

it.each([
  ['of a cookie that the visit lacks', aVisit(), 0],
  ['that is not there', aTransferredVisit(), 2],
  ['that is not a number', aTransferredVisit(), Number.NaN],
])('a step %s changes nothing', (_name, visit, index) => {
  const before = structuredClone(visit)
  takeStep(visit, index)
  expect(visit).toEqual(before)
})

describe('the table of a session', () => {
  it('shows how each cookie arrived and what happened to it', () => {
    const visit = aTransferredVisit(0, 1)
    sendBack(visit, pointOf(visit, 1))
    const rows = judgeCarried(visit, sessionOf(visit, 'ended'), true)
    expect(rows.map(({ name, kind, value, carried }) => [name, kind, value, carried])).toEqual([
      ['sid', 'Cookie, Path=/, HttpOnly', '1', 'point'],
      ['basket', 'Cookie, Path=/checkout, HttpOnly', 'globe', 'point'],
      ['look', 'Cookie, Path=/', 'cool', 'widget'],
    ])
    expect(rows[0]?.how).toBe('The browser sent it to /service_cookie_transfer/; no script can read it.')
    expect(rows.map(({ fate }) => fate?.outcome)).toEqual([undefined, 'sent-back', 'lost'])
    expect(rows[1]?.fate?.text).toBe('Changed, and sent back through /checkout/service_cookie_transfer/.')
  })

  it('does not credit points that transferred nothing', () => {
    const options = { ...START.options, cookie_transfer_proxying: false }
    const listed = { cookie_transfer_scopes: SCOPES.filter(({ httponly }) => !httponly) }
    const visit = aVisit({ start: { options }, settings: listed })
    const headline = 'Everything that the account lists is in the session'
    expect(summarise(sessionOf(visit), false)).toMatchObject({ headline, verdict: 'pass' })
  })

  it.each([
    ['running', true, false, 'changed', 'Changed in the session.'],
    ['ended', true, false, 'changed', 'Changed, and waiting to go back.'],
    ['ended', true, true, 'lost', 'Changed, and not sent back.'],
    ['ended', false, false, 'lost', 'Changed, and lost with the session.'],
  ] as const)(
    'shows for a changed cookie of a session that is %s, back-transfer %s, points called %s: %s',
    (state, on, hasAsked, outcome, text) => {
      const options = { ...START.options, enable_cookie_backtransfer: on }
      const visit = aVisit({ start: { options } })
      takeStep(visit, 1)
      expect(judgeCarried(visit, sessionOf(visit, state), hasAsked).at(-1)?.fate).toEqual({ outcome, text })
    },
  )

  it('truncates values, and says why something is missing', () => {
    const visit = aVisit({
      start: {
        cookies: [],
        entries: [{ kind: 'localStorage', name: 'list', value: 'x'.repeat(25) }],
        options: { ...START.options, cookie_transfer_proxying: false },
      },
    })
    expect(judgeCarried(visit, sessionOf(visit), false).map(({ value, how }) => [value, how])).toEqual([
      [undefined, 'The continuation points are off, and no script can read it.'],
      [undefined, 'The continuation points are off, and no script can read it.'],
      [undefined, 'The page’s script saw no such cookie.'],
      [`${'x'.repeat(24)}…`, 'The widget read it in the page.'],
    ])
  })

  it.each([
    ['before every point has answered', ['store'] as const, 'Not every point has answered.'],
    ['once they have', ['store', 'store'] as const, 'The browser did not send it to any point.'],
  ])('says why only when it is certain: %s', (_name, asked, how) => {
    const visit = aVisit()
    const points = visit.points.map((point, index) => ({
      ...point,
      answered: asked[index] ?? ('nothing' as const),
    }))
    expect(judgeCarried({ ...visit, points }, sessionOf(visit), false)[0]?.how).toBe(how)
  })
})

const READABLE = [
  { name: 'look', value: 'warm' },
  { name: 'extra', value: '1' },
]

/** A visit whose points have carried everything, after these steps. */
function aTransferredVisit(...steps: readonly number[]): Visit {
  const visit = aVisit()
  storeCookies(visit, pointOf(visit, 0), ['sid=1; look=warm'])
  storeCookies(visit, pointOf(visit, 1), ['basket=lamp; sid=1; look=warm'])
  for (const step of steps) takeStep(visit, step)
  return visit
}

function pointOf({ points }: Visit, index: number): VisitPoint {
  const point = points[index]
  if (point === undefined) throw new Error(`no point ${index}`)
  return point
}

function valuesOf({ cookies }: Visit): Record<string, string | undefined> {
  return Object.fromEntries(cookies.map(({ scope, value }) => [scope.name, value]))
}
