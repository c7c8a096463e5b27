import { describe, expect, it } from 'vitest'
import { demoAccount } from '../../../src/sandbox/account.ts'
import { judgeBackTransfer, sendBack } from '../../../src/sandbox/widget/back-transfer.ts'
import { beginSession } from '../../../src/sandbox/widget/begin-session.ts'
import { toCarriedRows } from '../../../src/sandbox/widget/carried-rows.ts'
import { toSummary } from '../../../src/sandbox/widget/session-summary.ts'
import { storeCookies } from '../../../src/sandbox/widget/store-cookies.ts'
import { takeStep, type WidgetSession } from '../../../src/sandbox/widget/widget-session.ts'
import { aSession, CHECKOUT_URL, ROOT_URL, SCOPES, type SessionSetup, SITE, START } from './a-session.ts'

describe('what the widget carries', () => {
  it('is what a script reads: listed cookies, and those that nobody listed', () => {
    const cookies = [
      { name: 'look', value: 'warm' },
      { name: 'extra', value: '1' },
    ]
    expect(valuesOf(aSession({ start: { cookies } }))).toEqual({
      sid: undefined,
      basket: undefined,
      look: 'warm',
      extra: '1',
    })
  })

  it('leaves out scopes of other sites and scopes that no browser stores', () => {
    const odd = [
      { name: 'far', domain: 'www.other.localhost', path: '/', httponly: false },
      { name: 'a b', domain: 'www.shop.localhost', path: '/', httponly: true },
      { name: 'line', domain: 'www.shop.localhost', path: '/\r\nX: y', httponly: true },
    ]
    const session = aSession({ settings: { cookie_transfer_scopes: [...SCOPES, ...odd] } })
    expect(Object.keys(valuesOf(session))).toEqual(['sid', 'basket', 'look'])
  })

  it('takes scopes of every host of the site, as the Public Suffix List has it', () => {
    const domains = ['.example.co.uk', 'pay.example.co.uk', '.other.co.uk', '.co.uk', 'example.co.uk']
    const account = demoAccount({
      cookie_transfer_urls: ['https://www.example.co.uk/service_cookie_transfer/'],
      cookie_transfer_scopes: domains.map((domain) => ({ name: domain, domain, path: '/', httponly: true })),
    })
    const told = { id: 'one', origin: 'https://www.example.co.uk', serviceOrigin: 'http://127.0.0.1:9090' }
    const session = beginSession({ ...START, pageUrl: `${told.origin}/`, cookies: [] }, told, account)
    if (session === 'foreign-page') throw new Error('The page is of the account')
    expect(session.cookies.map(({ scope }) => scope.name)).toEqual([
      '.example.co.uk',
      'pay.example.co.uk',
      'example.co.uk',
    ])
  })

  it('is no cookie at all once the account has cookie transfer off', () => {
    const cookies = [
      { name: 'look', value: 'warm' },
      { name: 'extra', value: '1' },
    ]
    const entries = [{ kind: 'localStorage', name: 'list', value: '1' }] as const
    const settings = { cookie_transfer_enabled: false }
    const session = aSession({ start: { cookies, entries }, settings })
    expect(valuesOf(session)).toEqual({ sid: undefined, basket: undefined, look: undefined })
    const rows = toCarriedRows(session)
    const off = 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled).'
    expect(rows.map(({ carried, how }) => [carried, how])).toEqual([
      ['missing', off],
      ['missing', off],
      ['missing', off],
      ['widget', 'The widget read it in the page.'],
    ])
    const nothingListed = aSession({ settings: { ...settings, cookie_transfer_scopes: [] } })
    for (const each of [session, nothingListed]) {
      const summary = toSummary(each, toCarriedRows(each))
      expect(summary).toMatchObject({ headline: 'No cookie is in the session', verdict: 'fail' })
    }
  })

  it.each([
    ['http://www.shop.localhost:8081', 'http://www.shop.localhost:8081/'],
    [SITE, 'http://www.other.localhost:8080/'],
    ['', `${SITE}/`],
  ])('needs a page of the account: origin "%s" for %s has none', (origin, pageUrl) => {
    const account = demoAccount({ cookie_transfer_urls: [ROOT_URL] })
    const told = { id: 'one', origin, serviceOrigin: 'http://127.0.0.1:9090' }
    expect(beginSession({ ...START, pageUrl }, told, account)).toBe('foreign-page')
  })

  it.each([
    ['cookie_transfer_enabled', { cookie_transfer_proxying: false, enable_cookie_backtransfer: true }],
    ['cookie_transfer_proxying', { cookie_transfer_proxying: false, enable_cookie_backtransfer: true }],
    ['enable_cookie_backtransfer', { cookie_transfer_proxying: true, enable_cookie_backtransfer: false }],
  ])('never goes past the account: %s off', (option, options) => {
    expect(aSession({ settings: { [option]: false } }).options).toEqual(options)
  })
})

describe('what a point carries', () => {
  it.each([
    ['the root', 0, ['sid=1; look=warm'], ['sid'], { sid: '1', basket: undefined, look: 'warm' }],
    ['the checkout', 1, ['basket=b; sid=1'], ['basket', 'sid'], { sid: '1', basket: 'b', look: 'warm' }],
    ['two lines', 1, ['basket=b', 'sid=1'], ['basket', 'sid'], { sid: '1', basket: 'b', look: 'warm' }],
    ['what it can’t receive', 0, ['basket=b'], [], { sid: undefined, basket: undefined, look: 'warm' }],
    ['what nobody listed', 0, ['other=1; =x; y'], [], { sid: undefined, basket: undefined, look: 'warm' }],
    ['no cookie', 0, [], [], { sid: undefined, basket: undefined, look: 'warm' }],
    ['a name with white space', 0, [' sid = a=b= '], [], { sid: undefined, basket: undefined, look: 'warm' }],
    ['base64', 0, ['sid=YQ=='], ['sid'], { sid: 'YQ==', basket: undefined, look: 'warm' }],
    ['no such point', 7, ['sid=1'], [], { sid: undefined, basket: undefined, look: 'warm' }],
  ])('%s', (_name, pointIndex, lines, stored, values) => {
    const session = aSession()
    expect(storeCookies(session, pointIndex, lines)).toEqual(stored)
    expect(valuesOf(session)).toEqual(values)
  })

  it('gives one name on two paths to both, the longest path first', () => {
    const twice = [
      { name: 'sid', domain: 'www.shop.localhost', path: '/', httponly: true },
      { name: 'sid', domain: 'www.shop.localhost', path: '/checkout', httponly: true },
    ]
    const session = aSession({ start: { cookies: [] }, settings: { cookie_transfer_scopes: twice } })
    storeCookies(session, 1, ['sid=long; sid=short'])
    expect(session.cookies.map(({ scope, value }) => [scope.path, value])).toEqual([
      ['/', 'short'],
      ['/checkout', 'long'],
    ])
  })
})

describe('back-transfer', () => {
  const foreign = { serviceOrigin: 'http://app.cobrowse.localhost:9090' }
  const off = (option: string): SessionSetup => ({
    start: { options: { ...START.options, [option]: false } },
  })

  it.each<[string, SessionSetup, object]>([
    ['all on, under the customer’s domain', {}, { verdict: 'goes-back' }],
    ['switched off', off('enable_cookie_backtransfer'), { verdict: 'stays', reason: 'switched-off' }],
    ['points off', off('cookie_transfer_proxying'), { verdict: 'stays', reason: 'points-off' }],
    ['a foreign service', foreign, { verdict: 'stays', reason: 'foreign-service' }],
    [
      'localhost alone',
      { serviceOrigin: 'http://localhost:9090' },
      { verdict: 'stays', reason: 'foreign-service' },
    ],
  ])('%s', (_name, setup, judged) => {
    expect(judgeBackTransfer(aSession(setup))).toEqual(judged)
  })

  it('sends each changed cookie through the first point that receives it, with its scope', () => {
    const session = aTransferredSession()
    for (const index of [0, 1]) takeStep(session, index)
    expect(sendBack(session, 0).map(({ line }) => line)).toEqual([
      'look=cool; Path=/; Domain=shop.localhost; SameSite=Lax',
    ])
    expect(sendBack(session, 1).map(({ line }) => line)).toEqual([
      'basket=globe; Path=/checkout; HttpOnly; SameSite=Lax',
    ])
    expect(sendBack(session, 7)).toEqual([])
  })

  it('sends again what it sent, since an answer may be lost', () => {
    const session = aTransferredSession()
    takeStep(session, 0)
    expect(sendBack(session, 1)).toEqual(sendBack(session, 1))
    expect(sendBack(session, 1)).toHaveLength(1)
  })

  it('marks cookies of an https site Secure', () => {
    const urls = [ROOT_URL, ROOT_URL.replace('http:', 'https:').replace('www', 'pay')]
    const session = aSession({
      start: { steps: [{ label: 'Pay', cookie: 'card', value: '2' }] },
      settings: {
        cookie_transfer_urls: urls,
        cookie_transfer_scopes: [{ name: 'card', domain: 'pay.shop.localhost', path: '/', httponly: true }],
      },
    })
    storeCookies(session, 1, ['card=1'])
    takeStep(session, 0)
    expect(sendBack(session, 1)).toEqual([
      { name: 'card', line: 'card=2; Path=/; HttpOnly; Secure; SameSite=Lax' },
    ])
  })
})

describe('a step', () => {
  it.each([
    ['of a cookie that the session lacks', aSession(), 0],
    ['that is not there', aTransferredSession(), 2],
    ['that is no number', aTransferredSession(), Number.NaN],
    ['after the end', { ...aTransferredSession(), state: 'ended' as const }, 0],
  ])('%s changes nothing', (_name, session, index) => {
    const before = valuesOf(session)
    takeStep(session, index)
    expect(valuesOf(session)).toEqual(before)
    expect(session.cookies.map(({ change }) => change)).toEqual(['none', 'none', 'none'])
  })
})

describe('the table of a session', () => {
  it('tells how each cookie came and what became of it', () => {
    const session = aTransferredSession()
    for (const index of [0, 1]) takeStep(session, index)
    sendBack(session, 1)
    session.state = 'ended'
    expect(toCarriedRows(session)).toEqual([
      {
        name: 'sid',
        kind: 'Cookie, Path=/, HttpOnly',
        value: '1',
        carried: 'point',
        how: 'The browser sent it to /service_cookie_transfer/; no script can read it.',
        fate: undefined,
      },
      {
        name: 'basket',
        kind: 'Cookie, Path=/checkout, HttpOnly',
        value: 'globe',
        carried: 'point',
        how: 'The browser sent it to /checkout/service_cookie_transfer/; no script can read it.',
        fate: {
          outcome: 'sent-back',
          text: 'Changed, and sent back through /checkout/service_cookie_transfer/.',
        },
      },
      {
        name: 'look',
        kind: 'Cookie, Path=/',
        value: 'cool',
        carried: 'widget',
        how: 'The widget read it in the page.',
        fate: { outcome: 'lost', text: 'Changed, and not sent back.' },
      },
    ])
  })

  it('does not thank points that brought nothing', () => {
    const options = { ...START.options, cookie_transfer_proxying: false }
    const listed = { cookie_transfer_scopes: SCOPES.filter(({ httponly }) => !httponly) }
    const session = aSession({ start: { options }, settings: listed })
    expect(toSummary(session, toCarriedRows(session))).toEqual({
      headline: 'Everything that the account lists is in the session',
      lead: 'The widget read it all in the page. No continuation point brought anything.',
      verdict: 'pass',
    })
  })

  it.each([
    ['running', true, 'changed', 'Changed in the session.'],
    ['ended', true, 'lost', 'Changed, and not sent back.'],
    ['ended', false, 'lost', 'Changed, and lost with the session.'],
  ] as const)(
    'says of a changed cookie of a session that is %s, back-transfer %s: %s',
    (state, on, outcome, text) => {
      const options = { ...START.options, enable_cookie_backtransfer: on }
      const session = aSession({ start: { options } })
      takeStep(session, 1)
      session.state = state
      expect(toCarriedRows(session).at(-1)?.fate).toEqual({ outcome, text })
    },
  )

  it('cuts values, and says why something is missing', () => {
    const session = aSession({
      start: {
        cookies: [],
        entries: [{ kind: 'localStorage', name: 'list', value: 'x'.repeat(25) }],
        options: { ...START.options, cookie_transfer_proxying: false },
      },
    })
    expect(toCarriedRows(session).map(({ value, how }) => [value, how])).toEqual([
      [undefined, 'No script can read it, and the continuation points are off.'],
      [undefined, 'No script can read it, and the continuation points are off.'],
      [undefined, 'The page’s script saw no such cookie.'],
      [`${'x'.repeat(24)}…`, 'The widget read it in the page.'],
    ])
  })

  it.each([
    ['before every point has answered', ['store'] as const, 'Not every point has answered.'],
    ['once they have', ['store', 'store'] as const, 'The browser sent it to no point.'],
  ])('blames nobody early: %s', (_name, asked, how) => {
    const session = aSession()
    for (const [index, call] of asked.entries()) session.asked.set(index, call)
    expect(toCarriedRows(session)[0]?.how).toBe(how)
  })
})

function aTransferredSession(): WidgetSession {
  const session = aSession()
  expect(session.points.map(({ url }) => url)).toEqual([ROOT_URL, CHECKOUT_URL])
  storeCookies(session, 0, ['sid=1; look=warm'])
  storeCookies(session, 1, ['basket=lamp; sid=1; look=warm'])
  return session
}

function valuesOf({ cookies }: WidgetSession) {
  return Object.fromEntries(cookies.map(({ scope, value }) => [scope.name, value]))
}
