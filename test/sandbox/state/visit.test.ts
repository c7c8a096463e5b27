import { describe, expect, it } from 'vitest'
import { judgeCarried, summarise } from '../../../src/sandbox/session/summary.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import {
  beginVisit,
  calledPoints,
  takeStep,
  type Visit,
  type VisitPoint,
} from '../../../src/sandbox/state/visit.ts'
import {
  isAwaitingReturn,
  receives,
  sendBack,
  storeCookies,
} from '../../../src/sandbox/state/visit-cookies.ts'
import { aVisit, CHECKOUT_URL, ROOT_URL, SCOPES, SITE, START, sessionOf, type VisitSetup } from './a-visit.ts'

const NO_POINT = 'No continuation point is on the site of the page'

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
    const off = 'cookie_transfer_enabled is off in the account’s settings'
    expect(judgeCarried(visit, sessionOf(visit)).map(({ carried, how }) => [carried, how])).toEqual([
      ['missing', `${off}, and no script can read it.`],
      ['missing', `${off}, and no script can read it.`],
      ['missing', `${off}.`],
      ['widget', 'The widget read it in the page.'],
    ])
    expect(summarise(sessionOf(visit))).toMatchObject({ headline: '3 cookies are missing', verdict: 'fail' })
  })

  it.each([
    [`${SITE}/`, [CHECKOUT_URL], undefined],
    [`${SITE}/`, [ROOT_URL.replace('www', 'pay')], undefined],
    [`${SITE}/`, [ROOT_URL.replace('8080', '8081')], undefined],
    [`${SITE}/`, [], NO_POINT],
    ['http://www.other.localhost:8080/', [ROOT_URL], NO_POINT],
  ] as const)('is carried on a page without a point too: %s with %j', (pageUrl, urls, noPoints) => {
    const visit = aVisit({ start: { pageUrl }, settings: { cookie_transfer_urls: urls } })
    expect(visit.noPoints).toBe(noPoints)
    expect(valuesOf(visit)).toMatchObject({ look: 'warm' })
  })

  it.each([
    ['cookie_transfer_enabled', 0],
    ['cookie_transfer_proxying', 0],
    ['enable_cookie_backtransfer', 2],
  ])('is limited by the account: %s off', (option, points) => {
    const visit = aVisit({ settings: { [option]: false } })
    expect(visit.points).toHaveLength(points)
    expect(visit.noReturn).toBe(`${option} is off in the account’s settings`)
  })
})

describe('the points of a session', () => {
  const ROOT = '/service_cookie_transfer/'

  it('are those of the page’s site, whatever their host, scheme and port', () => {
    const called = [
      `http://www.shop.localhost:8080${ROOT}`,
      `https://pay.shop.localhost${ROOT}`,
      `http://www.shop.localhost:9090/checkout${ROOT}`,
    ]
    const ignored = [`http://www.other.localhost:8080${ROOT}`, `http://localhost:8080${ROOT}`, 'no URL']
    const [first = '', ...others] = called
    const points = calledPoints('http://www.shop.localhost:8080/', [first, ...ignored, ...others])
    expect(points.map(({ url }) => url)).toEqual(called)
  })

  it.each([
    ['www.example.co.uk', 'www.other.co.uk', 'ignored'],
    ['a.github.io', 'b.github.io', 'ignored'],
    ['shop.localhost.example.com', 'www.example.com', 'called'],
    ['www.shop.localhost', 'cobrowse.shop.localhost', 'called'],
    ['localhost', 'shop.localhost', 'ignored'],
    ['127.0.0.1', '127.0.0.2', 'ignored'],
  ])('share the registrable domain of the page: on %s one on %s is %s', (page, host, fate) => {
    const url = `https://${host}${ROOT}`
    expect(calledPoints(`https://${page}/`, [url])).toHaveLength(fate === 'called' ? 1 : 0)
  })

  it.each([
    ['www.shop.localhost', '/checkout', true],
    ['.www.shop.localhost', '/checkout/', true],
    ['.shop.localhost', '/', true],
    ['www.shop.localhost', '/check', false],
    ['www.shop.localhost', `/checkout${ROOT}x/`, false],
    ['shop.localhost', '/', false],
    ['.op.localhost', '/', false],
  ])('receive a cookie of the domain %s and the path %s: %s', (domain, path, expected) => {
    const point = { host: 'www.shop.localhost', path: `/checkout${ROOT}` }
    expect(receives(point, { name: 'a', domain, path, httponly: true })).toBe(expected)
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
  it.each<[string, VisitSetup, string | undefined]>([
    ['under the customer’s domain', {}, undefined],
    [
      'a foreign service',
      { serviceOrigin: 'http://app.cobrowse.localhost:9090' },
      'The service runs as app.c',
    ],
    ['localhost alone', { serviceOrigin: 'http://localhost:9090' }, 'The service runs as localhost,'],
  ])('%s', (_name, setup, reason) => {
    expect(aVisit(setup).noReturn?.slice(0, reason?.length)).toBe(reason)
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
    const rows = judgeCarried(visit, sessionOf(visit, 'ended'))
    expect(rows.map(({ name, kind, value, carried }) => [name, kind, value, carried])).toEqual([
      ['sid', 'Cookie, Path=/, HttpOnly', '1', 'point'],
      ['basket', 'Cookie, Path=/checkout, HttpOnly', 'globe', 'point'],
      ['look', 'Cookie, Path=/', 'cool', 'widget'],
    ])
    expect(rows[0]?.how).toBe('The browser sent it to /service_cookie_transfer/; no script can read it.')
    expect(rows.map(({ fate }) => fate?.outcome)).toEqual([undefined, 'sent-back', 'changed'])
    expect(rows[1]?.fate?.text).toBe('Changed, and sent back through /checkout/service_cookie_transfer/.')
  })

  it('does not credit points that transferred nothing', () => {
    const listed = { cookie_transfer_scopes: SCOPES.filter(({ httponly }) => !httponly) }
    const lead = 'The widget read it all in the page. No continuation point brought anything.'
    expect(summarise(sessionOf(aVisit({ settings: listed })))).toMatchObject({ lead, verdict: 'pass' })
  })

  it.each([
    ['running', true, 'changed', 'Changed in the session.'],
    ['ended', true, 'changed', 'Changed, and waiting to go back.'],
    ['ended', false, 'lost', 'Changed, and lost with the session.'],
  ] as const)(
    'shows for a changed cookie of a session that is %s, back-transfer %s: %s',
    (state, on, outcome, text) => {
      const visit = aVisit({ settings: { enable_cookie_backtransfer: on } })
      takeStep(visit, 1)
      expect(judgeCarried(visit, sessionOf(visit, state)).at(-1)?.fate).toEqual({ outcome, text })
    },
  )

  it('truncates values, and says why something is missing', () => {
    const entries = [{ kind: 'localStorage', name: 'list', value: 'x'.repeat(25) }] as const
    const visit = aVisit({ start: { cookies: [], entries } })
    expect(judgeCarried(visit, sessionOf(visit)).map(({ value, how }) => [value, how])).toEqual([
      [undefined, 'No point has brought it, and no script can read it.'],
      [undefined, 'No point has brought it, and no script can read it.'],
      [undefined, 'No point has brought it.'],
      [`${'x'.repeat(24)}…`, 'The widget read it in the page.'],
    ])
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
