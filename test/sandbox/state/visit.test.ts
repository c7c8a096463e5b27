import { describe, expect, it } from 'vitest'
import { judgeCarried, summarise } from '../../../src/sandbox/session/summary.ts'
import { calledPoints, takeStep, type Visit } from '../../../src/sandbox/state/visit.ts'
import {
  isAwaitingReturn,
  receives,
  sendBack,
  storeCookies,
} from '../../../src/sandbox/state/visit-cookies.ts'
import { aVisit, ROOT_URL, SCOPES, sessionOf } from './a-visit.ts'

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
})

describe('the points of a session', () => {
  const ROOT = '/service_cookie_transfer/'

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
    const point = { hostname: 'www.shop.localhost', pathname: `/checkout${ROOT}` }
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

describe('the table of a session', () => {
  it('does not credit points that transferred nothing', () => {
    const listed = { cookie_transfer_scopes: SCOPES.filter(({ httponly }) => !httponly) }
    const lead = 'The widget read it all in the page. No continuation point brought anything.'
    expect(summarise(sessionOf(aVisit({ settings: listed })))).toMatchObject({ lead, verdict: 'pass' })
  })

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

function pointOf({ points }: Visit, index: number): URL {
  const point = points[index]
  if (point === undefined) throw new Error(`no point ${index}`)
  return point
}

function valuesOf({ cookies }: Visit): Record<string, string | undefined> {
  return Object.fromEntries(cookies.map(({ scope, value }) => [scope.name, value]))
}
