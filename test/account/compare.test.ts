import { describe, expect, test, vi } from 'vitest'
import { compareSettings } from '../../src/account/settings.ts'
import { openAccount, prefix, root, shop, sid } from './an-account.ts'

const atShop = `https://www.example.com/shop${prefix}`
const basket = { name: 'basket', domain: '.example.com', path: '/shop', httponly: false }
const config = { points: [root, atShop], cookies: [sid, basket], backTransfer: false }
const inStep = {
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [root, atShop],
  cookie_transfer_scopes: [sid, basket],
  enable_cookie_backtransfer: false,
}
const label = 'www.xn--bcher-kva.example'
const inLabel = { points: [`https://${label}${prefix}`], cookies: [{ ...sid, domain: label }] }
const uk = `https://www.example.co.uk${prefix}`

/** The account before, the config, the lines of `diff`, and what `apply --remove` changes. */
type Row = [what: string, account: object, config: object, lines: readonly string[], after?: object]

async function judge(...[, account, wanted, lines, after = {}]: Row) {
  const before = { ...inStep, ...account }
  const { run, now } = await openAccount(before)
  const { code, stdout } = await run({ ...config, ...wanted }, 'settings diff')
  expect(stdout.split('\n').filter((line) => /^[-+] /.test(line))).toEqual(lines)
  expect(code).toBe(lines.length === 0 ? 0 : 1)
  expect((await run({ ...config, ...wanted }, 'settings apply --remove')).code).toBe(0)
  expect(now()).toEqual({ ...before, ...after })
  expect(await run({ ...config, ...wanted }, 'settings diff')).toMatchObject({ code: 0, stdout: '' })
}

const urls = (...listed: readonly unknown[]) => ({ cookie_transfer_urls: listed })
const scopes = (...listed: readonly unknown[]) => ({ cookie_transfer_scopes: listed })
const both = (sign: string) => [`${sign} sid www.example.com / httponly`, `${sign} basket .example.com /shop`]
const gone = { ...sid, name: 'gone', domain: '.example.com' }
const ofShop = { ...sid, domain: 'shop.example.com' }

describe('the same', () => {
  const rows: readonly Row[] = [
    ['to the letter', {}, {}, []],
    ['in another order', { ...urls(atShop, root), ...scopes(basket, sid) }, {}, []],
    ['a URL in another case, with its port', urls(`HTTPS://WWW.example.com:443${prefix}`, atShop), {}, []],
    ['an entry twice, one without "httponly"', scopes(sid, { ...basket, httponly: undefined }, sid), {}, []],
    ['a switch that is off and not there', { enable_cookie_backtransfer: undefined }, {}, []],
    ['without "backTransfer"', { enable_cookie_backtransfer: true }, { backTransfer: undefined }, []],
    ['without "cookies"', scopes(sid, gone), { cookies: undefined }, []],
    ['another option', { start_muted: true }, {}, []],
  ]
  test.each<Row>(rows)('%s', judge)
})

describe('different', () => {
  const other = `https://www.example.com/Shop${prefix}`
  const rows: readonly Row[] = [
    ...(
      [
        ['cookie_transfer_enabled', false, true],
        ['cookie_transfer_proxying', undefined, true],
        ['enable_cookie_backtransfer', true, false],
      ] as const
    ).map(([name, has, wants]): Row => {
      return [name, { [name]: has }, {}, [`- ${has ?? '(not there)'}`, `+ ${wants}`], { [name]: wants }]
    }),
    ['a URL', urls(root, other), {}, [`- ${other}`, `+ ${atShop}`], urls(root, atShop)],
    ['a list that is not there', { cookie_transfer_scopes: undefined }, {}, both('+'), scopes(sid, basket)],
    ['an empty list in the config', {}, { cookies: [] }, both('-'), scopes()],
    ...[
      { ...sid, domain: '.www.example.com' },
      { ...sid, path: '/A' },
      { ...sid, httponly: false },
      { ...sid, name: 'SID' },
    ].map((scope): Row => {
      const line = `- ${scope.name} ${scope.domain} ${scope.path}${scope.httponly ? ' httponly' : ''}`
      const lines = [line, '+ sid www.example.com / httponly']
      return [line, scopes(scope, basket), {}, lines, scopes(sid, basket)]
    }),
    [
      'a domain in Unicode',
      { ...urls(...inLabel.points), ...scopes({ ...sid, domain: 'www.bücher.example' }) },
      inLabel,
      ['- sid www.bücher.example / httponly', `+ sid ${label} / httponly`],
      scopes(...inLabel.cookies),
    ],
    [
      'a URL in Unicode',
      { ...urls(`https://www.bücher.example${prefix}`), ...scopes(...inLabel.cookies) },
      { ...inLabel, points: [`https://WWW.bücher.example${prefix}`] },
      [`- https://www.bücher.example${prefix}`, `+ https://${label}${prefix}`],
      urls(...inLabel.points),
    ],
  ]
  test.each<Row>(rows)('%s', judge)
})

test('goes through the hosts of the config once, not for each scope', () => {
  const own = new Set(['www.example.com'])
  const read = vi.spyOn(own, Symbol.iterator)
  compareSettings(scopes(sid, gone, ofShop) as typeof inStep, inStep, own)
  expect(read).toHaveBeenCalledTimes(1)
})

describe('what is of other hosts stays', () => {
  const alone = { cookies: [sid] }
  const ofAll = { ...basket, path: '/' }
  const removed = ['- gone .example.com / httponly']
  const rows: readonly Row[] = [
    ['a URL', urls(shop, root, atShop), {}, []],
    ['a text that is no URL', urls('no url', root, atShop), {}, []],
    ['a cookie', scopes(ofShop, sid, basket), {}, []],
    ['a cookie of their domain', scopes({ ...sid, domain: '.shop.example.com' }, sid, basket), {}, []],
    ['a cookie of no domain', scopes({ ...sid, domain: 'a b' }, sid, basket), {}, []],
    ['a cookie of another site', scopes({ ...gone, domain: '.example.net' }, sid, basket), {}, []],
    [
      'beside a change of the list',
      scopes({ ...sid, httponly: false }, ofShop),
      {},
      ['- sid www.example.com /', '+ sid www.example.com / httponly', '+ basket .example.com /shop'],
      scopes(ofShop, sid, basket),
    ],
    [
      'but not a cookie of a domain that only our hosts receive',
      scopes(gone, sid),
      alone,
      removed,
      scopes(sid),
    ],
    [
      'nor one beside a point of another site',
      { ...urls(`https://www.example.net${prefix}`, root, atShop), ...scopes(gone, sid) },
      alone,
      removed,
      scopes(sid),
    ],
    [
      'one that a foreign point receives too',
      { ...urls(shop, root, atShop), ...scopes(gone, sid) },
      alone,
      [],
    ],
    ['one that the host of a foreign cookie receives too', scopes(gone, ofShop, sid), alone, []],
    [
      'one that the hosts of a foreign domain receive too',
      scopes(gone, { ...ofShop, domain: '.shop.example.com' }, sid),
      alone,
      [],
    ],
    [
      'but our cookie with another httponly is replaced, whoever receives it',
      { ...urls(shop, root, atShop), ...scopes({ ...gone, httponly: false }, sid) },
      { cookies: [sid, gone] },
      ['- gone .example.com /', '+ gone .example.com / httponly'],
      scopes(sid, gone),
    ],
    [
      'the entries of the team on the domain of our domain cookie',
      {
        ...urls(`https://example.com${prefix}`, shop),
        ...scopes({ ...sid, domain: 'example.com' }, { ...gone, name: 'apex' }, ofAll),
      },
      { points: [shop], cookies: [ofAll] },
      [],
    ],
    [
      'but not on the hosts of our pages and host-only cookies',
      urls('https://page.example.com/x/', 'https://cookie.example.com/x/', root, atShop),
      {
        pages: ['https://page.example.com/', 'https://www.example.com/'],
        cookies: [sid, basket, { ...sid, domain: 'cookie.example.com' }],
        suppress: [
          { rule: 'page/no-point', reason: 'a test' },
          { rule: 'cookie/never-sent', reason: 'a test' },
        ],
      },
      [
        '- https://page.example.com/x/',
        '- https://cookie.example.com/x/',
        '+ sid cookie.example.com / httponly',
      ],
      { ...urls(root, atShop), ...scopes(sid, basket, { ...sid, domain: 'cookie.example.com' }) },
    ],
  ]
  test.each<Row>(rows)('%s', judge)

  test('one that other hosts may use is named', async () => {
    const { run } = await openAccount({ ...inStep, ...urls(shop, root, atShop), ...scopes(gone, sid) })
    for (const line of ['settings diff', 'settings apply --dry-run', 'check --only account/scopes-differ']) {
      const { stdout, stderr } = await run({ ...config, cookies: [sid] }, line)
      expect((stdout + stderr).replace(/\s+/g, ' ')).toMatch(
        /gone \.example\.com \/ httponly \(?(?:$|other hosts)|may use it: gone \.example\.com \/ httponly/,
      )
    }
  })

  test('--remove-foreign removes it', async () => {
    const listed = { ...urls(shop, root, atShop), ...scopes(ofShop, sid, gone, basket) }
    const { run, now } = await openAccount({ ...inStep, ...listed })
    expect((await run(config, 'settings apply --remove-foreign')).code).toBe(0)
    expect(now()).toEqual(inStep)
  })
})

describe('a point with a widget key of its own is of another account', () => {
  const two = { points: [root, atShop, { url: uk, widgetKey: 'uk-widget' }], widgetKey: 'widget' }
  const ofUk = { ...sid, domain: 'www.example.co.uk' }
  const rows: readonly Row[] = [
    [
      'neither the point nor the cookies of its site are wanted',
      {},
      { ...two, cookies: [sid, basket, ofUk] },
      [],
    ],
    ['if they are there, they stay', { ...urls(uk, root, atShop), ...scopes(ofUk, sid, basket) }, two, []],
    [
      'its site keeps those of a point without one',
      {},
      {
        ...two,
        points: [...two.points, `https://shop.example.co.uk${prefix}`],
        cookies: [sid, basket, ofUk],
      },
      [`+ https://shop.example.co.uk${prefix}`, '+ sid www.example.co.uk / httponly'],
      { ...urls(root, atShop, `https://shop.example.co.uk${prefix}`), ...scopes(sid, basket, ofUk) },
    ],
  ]
  test.each<Row>(rows)('%s', judge)

  test.each(['settings diff', 'settings apply --dry-run', 'settings sheet'])('%s names it', async (line) => {
    const { run } = await openAccount(inStep)
    const { code, stdout, stderr } = await run({ ...config, ...two }, line)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`Left out, since it has a widgetKey of its own: ${uk}\n`),
    ])
    expect(stdout).not.toContain('co.uk')
  })

  test('check skips it, and says so', async () => {
    const { run } = await openAccount(inStep)
    const { code, stdout } = await run(two, 'check --only account --format json')
    const { checks } = JSON.parse(stdout)
    expect(checks.filter(({ id }: { id: string }) => id === 'account/url-not-registered')).toMatchObject([
      { subject: { point: root }, outcome: 'pass' },
      { subject: { point: atShop }, outcome: 'pass' },
      { subject: { point: uk }, outcome: 'skipped', message: expect.stringContaining('of another account') },
    ])
    expect([code, (await run(two, 'check --only account')).stdout]).toEqual([
      0,
      expect.stringContaining('the account of the points that have a widgetKey of their own'),
    ])
  })

  test('alone they leave nothing to compare', async () => {
    const { run } = await openAccount(inStep)
    const { code, stderr } = await run({ points: two.points.slice(2) }, 'settings diff')
    expect([code, stderr]).toEqual([2, expect.stringContaining('every continuation point has a widgetKey')])
  })
})
