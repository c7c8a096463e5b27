import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { toSubjectText } from '../../src/check/finding.ts'
import { toOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import { aConfig, type Given, prefix } from './a-config.ts'

const www = `https://www.example.com${prefix}`
const wwwPage = 'https://www.example.com/'

// Each row: what is given, and the subjects on which the rule fails.
const tables: Readonly<Record<string, readonly (readonly [Given, readonly string[]])[]>> = {
  'url/invalid': [
    [{ points: [www] }, []],
    [{ points: [`HTTPS://WWW.example.com${prefix}`] }, []],
    [{ points: [`http://[::1]:8080${prefix}`] }, []],
    [{ points: ['www.example.com'] }, ['www.example.com']],
    [{ points: [`ftp://www.example.com${prefix}`] }, [`ftp://www.example.com${prefix}`]],
    [{ points: [`https://u:p@www.example.com${prefix}`] }, [`https://…@www.example.com${prefix}`]],
    [{ points: [`${www}?key=1`] }, [`${www}?…`]],
    [{ points: [`${www}#x`] }, [`${www}#…`]],
    [{ points: [`https://www.example.com/a/..${prefix}`] }, [`https://www.example.com/a/..${prefix}`]],
    [{ points: [`https://www.example.com/%2e%2E${prefix}`] }, [`https://www.example.com/%2e%2E${prefix}`]],
    [{ points: [`https://www.example.com:99999${prefix}`] }, [`https://www.example.com:99999${prefix}`]],
  ],
  'url/prefix': [
    [{ points: [www, `https://www.example.com/shop${prefix}`] }, []],
    [{ points: [`https://www.example.com/cobrowse/`], prefix: '/cobrowse/' }, []],
    [{ points: [www.slice(0, -1)] }, [www.slice(0, -1)]],
    [{ points: [`${www}store`] }, [`${www}store`]],
    [{ points: [`${www.slice(0, -1)}${prefix}`] }, [`${www.slice(0, -1)}${prefix}`]],
    [
      { points: ['https://www.example.com/Service_Cookie_Transfer/'] },
      ['https://www.example.com/Service_Cookie_Transfer/'],
    ],
  ],
  'url/duplicate': [
    [{ points: [www, `http://www.example.com${prefix}`] }, []],
    [{ points: [www, `https://WWW.EXAMPLE.com:443${prefix}`] }, [`https://WWW.EXAMPLE.com:443${prefix}`]],
    [
      { points: [`https://xn--bcher-kva.example${prefix}`, `https://bücher.example${prefix}`] },
      [`https://bücher.example${prefix}`],
    ],
    [{ points: [`https://a.example/A${prefix}`, `https://a.example/a${prefix}`] }, []],
    [{ points: [`https://a.example/%41${prefix}`, `https://a.example/A${prefix}`] }, []],
  ],
  'url/trailing-dot': [
    [{ points: [www] }, []],
    [{ points: [`https://www.example.com.${prefix}`] }, [`https://www.example.com.${prefix}`]],
    [{ points: [`https://www.example.com.:8443${prefix}`] }, [`https://www.example.com.:8443${prefix}`]],
  ],
  'url/public-suffix-host': [
    [{ points: [www, `https://shop.github.io${prefix}`, `http://localhost${prefix}`] }, []],
    [
      { points: [`https://github.io${prefix}`, `https://com${prefix}`, `https://co.uk${prefix}`] },
      [`https://github.io${prefix}`, `https://com${prefix}`, `https://co.uk${prefix}`],
    ],
  ],
  'url/ip-host': [
    [{ points: [www, `https://com${prefix}`, `http://www.shop.localhost:8080${prefix}`] }, []],
    [
      {
        points: [`http://127.0.0.1${prefix}`, `https://[2001:db8::1]${prefix}`, `http://localhost${prefix}`],
      },
      [`http://127.0.0.1${prefix}`, `https://[2001:db8::1]${prefix}`, `http://localhost${prefix}`],
    ],
  ],
  'url/cross-site': [
    [{ points: [www] }, []],
    [{ points: [www], pages: ['http://example.com:8080/x'] }, []],
    [{ points: [www], pages: ['https://www.example.net/', 'https://a.example.com/'] }, []],
    [{ points: [www], pages: ['https://www.example.net/'] }, [www]],
    [
      { points: [`https://a.github.io${prefix}`], pages: ['https://b.github.io/'] },
      [`https://a.github.io${prefix}`],
    ],
    [
      { points: [`https://www.example.com.${prefix}`], pages: [wwwPage] },
      [`https://www.example.com.${prefix}`],
    ],
    [{ points: [`http://127.0.0.1:1${prefix}`], pages: ['http://127.0.0.1:2/'] }, []],
    [{ points: [`http://127.0.0.1${prefix}`], pages: ['http://127.0.0.2/'] }, [`http://127.0.0.1${prefix}`]],
    [
      { points: [`http://b.localhost${prefix}`], pages: ['http://a.localhost/'] },
      [`http://b.localhost${prefix}`],
    ],
  ],
  'url/scheme-mismatch': [
    [{ points: [www], pages: [wwwPage] }, []],
    [{ points: [www], pages: ['http://www.example.com/'] }, [www]],
    [{ points: [www], pages: ['http://www.example.com/', 'https://shop.example.com/'] }, []],
    [{ points: [www], pages: ['http://www.example.net/'] }, []],
    [{ points: [`http://localhost${prefix}`], pages: ['https://localhost/'] }, [`http://localhost${prefix}`]],
    [{ points: [`http://www.example.com${prefix}`], pages: [wwwPage] }, []],
  ],
  'url/mixed-content': [
    [{ points: [www], pages: [wwwPage] }, []],
    [{ points: [`http://www.example.com${prefix}`], pages: [wwwPage] }, [`http://www.example.com${prefix}`]],
    [{ points: [`http://www.example.com${prefix}`], pages: [wwwPage, 'http://m.example.com/'] }, []],
    [{ points: [`http://www.example.com${prefix}`], pages: ['https://www.example.net/'] }, []],
    [{ points: [`http://www.shop.localhost${prefix}`], pages: ['https://www.shop.localhost/'] }, []],
  ],
  'url/plain-http': [
    [{ points: [www] }, []],
    [{ points: [`http://www.example.com${prefix}`] }, [`http://www.example.com${prefix}`]],
    [
      {
        points: [
          `http://localhost${prefix}`,
          `http://127.9.9.9${prefix}`,
          `http://[::1]${prefix}`,
          `http://a.localhost${prefix}`,
        ],
      },
      [],
    ],
  ],
  'url/redundant': [
    [{ points: [www], pages: [wwwPage], cookies: [{}] }, []],
    // The point on / of an origin is where the instructions of the service verify.
    [
      {
        points: [www, `https://www.example.com/shop${prefix}`],
        pages: [wwwPage],
        cookies: [{}, { path: '/shop' }],
      },
      [],
    ],
    [
      {
        points: [`https://www.example.com/a${prefix}`, `https://www.example.com/a/b${prefix}`],
        pages: [wwwPage],
        cookies: [{}, { path: '/a/b' }],
      },
      [`https://www.example.com/a${prefix}`],
    ],
    [
      {
        points: [www, `https://shop.example.com/a${prefix}`],
        pages: [wwwPage],
        cookies: [{ domain: '.example.com' }],
      },
      [`https://shop.example.com/a${prefix}`],
    ],
    [
      {
        points: [www, `https://shop.example.com/a${prefix}`],
        pages: [wwwPage, 'https://shop.example.com/'],
        cookies: [{ domain: '.example.com' }],
      },
      [],
    ],
    [
      {
        points: [`https://a.example.com/x${prefix}`, `https://b.example.com/x${prefix}`],
        pages: [wwwPage],
        cookies: [{ domain: '.example.com' }],
      },
      [`https://b.example.com/x${prefix}`],
    ],
    [
      {
        points: [`https://www.example.com/a${prefix}`, `http://www.example.com/a${prefix}`],
        pages: [wwwPage, 'http://m.example.com/'],
        cookies: [{ secure: false }],
      },
      [],
    ],
    [{ points: [www, `https://www.example.com/shop${prefix}`], pages: [wwwPage] }, []],
  ],
  'page/invalid': [
    [{ pages: [wwwPage, 'http://localhost:8080', 'https://www.example.com/a?b#c'] }, []],
    [
      {
        pages: [
          ...['www.example.com', 'https://', 'file:///x', 'https://u@www.example.com/', 'https://a b/'],
          'https://www.example.com:0/',
        ],
      },
      [
        ...['www.example.com', 'https://', 'file:///x', 'https://…@www.example.com/', 'https://a b/'],
        'https://www.example.com:0/',
      ],
    ],
  ],
  'page/no-point': [
    [{ points: [www], pages: ['https://www.example.com:443/checkout'] }, []],
    [{ points: [www], pages: ['http://www.example.com/'] }, ['http://www.example.com/']],
    [{ points: [www], pages: ['https://www.example.com:8443/'] }, ['https://www.example.com:8443/']],
    [{ points: [www], pages: ['https://example.com/'] }, ['https://example.com/']],
    [{ points: [`https://www.example.com/shop${prefix}`], pages: [wwwPage] }, []],
    [{ points: [www.slice(0, -1)], pages: [wwwPage] }, [wwwPage]],
  ],
  'cookie/bad-name': [
    [{ cookies: [{ name: 'a.b_c-d' }] }, []],
    [
      { cookies: [{ name: '' }, { name: 'a b' }, { name: 'a;b' }] },
      [' (www.example.com /)', 'a b (www.example.com /)', 'a;b (www.example.com /)'],
    ],
  ],
  'cookie/bad-domain': [
    [
      {
        cookies: [
          { domain: '.example.com' },
          { domain: 'a_b.example.com' },
          { domain: '::1' },
          { domain: 'bücher.example' },
        ],
      },
      [],
    ],
    [
      {
        cookies: [
          { domain: '' },
          { domain: '..example.com' },
          { domain: '*.example.com' },
          { domain: '.127.0.0.1' },
        ],
      },
      ['sid ( /)', 'sid (..example.com /)', 'sid (*.example.com /)', 'sid (.127.0.0.1 /)'],
    ],
  ],
  'cookie/bad-path': [
    [{ cookies: [{ path: '/' }, { path: '/a%20b' }] }, []],
    [{ cookies: [{ path: '' }, { path: 'shop' }] }, ['sid (www.example.com )', 'sid (www.example.com shop)']],
    [
      { cookies: [{ path: '/a|b' }, { path: '/a^b' }, { path: '/a%7Cb%5Ec' }] },
      ['sid (www.example.com /a|b)', 'sid (www.example.com /a^b)'],
    ],
  ],
  'cookie/public-suffix-domain': [
    [{ cookies: [{ domain: '.example.com' }, { domain: 'github.io' }] }, []],
    [{ cookies: [{ domain: '.github.io' }, { domain: '.co.uk' }] }, ['sid (.github.io /)', 'sid (.co.uk /)']],
  ],
  'cookie/prefix-contradiction': [
    [{ cookies: [{ name: '__Host-sid' }, { name: '__Http-sid', path: '/shop' }] }, []],
    [
      {
        cookies: [
          { name: '__host-sid', path: '/shop' },
          { name: '__Secure-a', secure: false },
          { name: '__Http-b', httponly: false },
        ],
      },
      [
        '__host-sid (www.example.com /shop)',
        '__Secure-a (www.example.com /)',
        '__Http-b (www.example.com /)',
      ],
    ],
  ],
  'cookie/same-site-none': [
    [
      {
        cookies: [
          { sameSite: 'None', secure: true },
          { sameSite: 'None' },
          { sameSite: 'Lax', secure: false },
          { secure: false },
        ],
      },
      [],
    ],
    [{ cookies: [{ sameSite: 'None', secure: false }] }, ['sid (www.example.com /)']],
  ],
  'cookie/duplicate': [
    [{ cookies: [{}, { path: '/shop' }, { name: 'SID' }, { domain: '.www.example.com' }] }, []],
    [{ cookies: [{}, { domain: 'WWW.example.com', httponly: false }] }, ['sid (WWW.example.com /)']],
  ],
  'cookie/never-sent': [
    [{ points: [www], cookies: [{}, { domain: '.example.com' }] }, []],
    [{ points: [www], cookies: [{ domain: 'example.com' }] }, ['sid (example.com /)']],
    [{ points: [www], cookies: [{ domain: '.shop.example.com' }] }, ['sid (.shop.example.com /)']],
    [{ points: [www], cookies: [{ domain: 'bad domain' }] }, []],
    [{ points: [www], pages: ['https://www.example.net/'], cookies: [{}] }, ['sid (www.example.com /)']],
    [{ points: [`${www}?x`], cookies: [{}] }, ['sid (www.example.com /)']],
  ],
  'cookie/path-not-covered': [
    [
      {
        points: [`https://www.example.com/shop/cart${prefix}`],
        cookies: [{ path: '/shop' }, { path: '/shop/' }, {}],
      },
      [],
    ],
    [{ points: [www], cookies: [{ path: '/shop' }] }, ['sid (www.example.com /shop)']],
    [
      { points: [`https://www.example.com/shopping${prefix}`], cookies: [{ path: '/shop' }] },
      ['sid (www.example.com /shop)'],
    ],
    [
      { points: [`https://www.example.com/Shop${prefix}`], cookies: [{ path: '/shop' }] },
      ['sid (www.example.com /shop)'],
    ],
  ],
  'cookie/insecure-only': [
    [{ points: [www, `http://www.example.com${prefix}`], cookies: [{ secure: true }] }, []],
    [
      { points: [`http://www.example.com${prefix}`], cookies: [{ secure: true }] },
      ['sid (www.example.com /)'],
    ],
    [
      { points: [`http://www.example.com${prefix}`], cookies: [{ name: '__host-x' }] },
      ['__host-x (www.example.com /)'],
    ],
    [{ points: [`http://www.example.com${prefix}`], cookies: [{}, { secure: false }] }, []],
    [{ points: [`http://localhost${prefix}`], cookies: [{ domain: 'localhost', secure: true }] }, []],
    [
      { points: [`http://www.example.com${prefix}`], cookies: [{ sameSite: 'None' }] },
      ['sid (www.example.com /)'],
    ],
  ],
  'cookie/depends': [
    [{ points: [www], cookies: [{}] }, []],
    [{ points: [`http://www.example.com${prefix}`], cookies: [{}] }, ['sid (www.example.com /)']],
    [{ points: [`http://www.example.com${prefix}`], cookies: [{ secure: false }] }, []],
    [
      { points: [www], pages: ['http://www.example.com/'], cookies: [{ secure: true }] },
      ['sid (www.example.com /)'],
    ],
    [{ points: [www], pages: ['http://www.example.com/', wwwPage], cookies: [{ secure: true }] }, []],
  ],
  'cookie/mixed-parties': [
    [{ pages: [wwwPage], cookies: [{}, { domain: '.example.com' }] }, []],
    [{ pages: [wwwPage], cookies: [{}, { domain: 'www.example.net' }] }, ['cookies']],
    [{ pages: [wwwPage], cookies: [{ domain: 'www.example.net' }] }, []],
    [{ pages: [wwwPage, 'https://www.example.net/'], cookies: [{}, { domain: 'www.example.net' }] }, []],
    [{ pages: [wwwPage], cookies: [{}, { domain: '*' }] }, []],
  ],
  'cookie/none-httponly': [
    [{ cookies: [{ httponly: false }, {}] }, []],
    [{ cookies: [{ httponly: false }] }, ['cookies']],
    [{ cookies: [] }, []],
  ],
  'service/back-transfer-domain': [
    [{ pages: [wwwPage], service: 'https://cobrowse.example.com', backTransfer: true }, []],
    [{ pages: [wwwPage], service: 'https://cobrowse.example.net', backTransfer: true }, ['service.url']],
    [{ pages: [wwwPage], service: 'https://cobrowse.example.net' }, []],
    [
      {
        pages: [wwwPage, 'https://www.example.net/'],
        service: 'https://cobrowse.example.net',
        backTransfer: true,
      },
      [],
    ],
  ],
  'service/same-host': [
    [{ points: [www], service: 'https://cobrowse.example.com' }, []],
    [{ points: [www], service: 'https://WWW.example.com:443' }, ['service.url']],
    [{ points: [www], service: 'https://www.example.com.' }, ['service.url']],
    [{ points: [`https://www.example.com.${prefix}`], service: 'https://www.example.com' }, ['service.url']],
    [{ points: [www], service: 'https://www.example.com:8443' }, []],
    [
      { points: [`http://www.example.com:443${prefix}`], service: 'https://www.example.com' },
      ['service.url'],
    ],
  ],
  'config/unused-suppression': [
    [{ points: [`http://www.example.com${prefix}`], suppress: [{ rule: 'url/plain-http' }] }, []],
    [
      {
        points: [`http://www.example.com${prefix}`],
        suppress: [{ rule: 'url/plain-http', match: '*//www.*' }],
      },
      [],
    ],
    [
      {
        points: [`http://www.example.com${prefix}`],
        suppress: [{ rule: 'url/plain-http', match: 'http://www.example.com/' }],
      },
      ['suppress[0]'],
    ],
    [{ points: [www], suppress: [{ rule: 'url/plain-http' }] }, ['suppress[0]']],
    [{ points: [www], suppress: [{ rule: 'url/plain-htp' }] }, ['suppress[0]']],
    [{ cookies: [{ name: 'x y' }], suppress: [{ rule: 'cookie/bad-name', match: 'x*' }] }, []],
    [
      {
        pages: [wwwPage, 'https://shop.example.com'],
        suppress: [
          { rule: 'page/no-point', match: 'https://www.example.com' },
          { rule: 'page/no-point', match: 'HTTPS://shop.example.com:443/' },
          { rule: 'page/no-point', match: 'https://*.example.com/' },
        ],
      },
      [],
    ],
    [
      { pages: [wwwPage], suppress: [{ rule: 'page/no-point', match: 'https://www.example.com/x' }] },
      ['suppress[0]'],
    ],
  ],
}

describe.each(Object.entries(tables))('%s', (id, rows) => {
  it.each(rows)('%j fails on %j', (given, subjects) => {
    const failed = run(given).filter((finding) => finding.id === id && finding.outcome === 'fail')
    expect(failed.map(({ subject }) => toSubjectText(subject))).toEqual(subjects)
    for (const { fix, message } of failed) {
      expect(fix).toMatch(/\S/)
      expect(`${fix}${message}`).not.toContain('undefined')
    }
  })
})

it('has a table for every offline rule, and every rule fires somewhere', () => {
  const asksNobody = rules.filter(({ needsPageVisits }) => needsPageVisits !== true)
  const offline = asksNobody.map(({ id }) => id).filter((id) => !/^(?:live|account)\//.test(id))
  expect(Object.keys(tables).sort()).toEqual(offline.sort())
  for (const rows of Object.values(tables))
    expect(rows.some(([, subjects]) => subjects.length > 0)).toBe(true)
})

describe('what is missing is skipped, with the reason', () => {
  it.each([
    ['url/cross-site', { points: [www] }, 'no pages are given'],
    ['url/cross-site', { points: [www], pages: ['nowhere'] }, 'no page has a URL that can be read'],
    ['page/no-point', { points: [www] }, 'no pages are given'],
    ['url/redundant', { points: [www], cookies: [{}] }, 'no pages are given'],
    [
      'url/redundant',
      { points: [www], cookies: [{}], pages: ['nowhere'] },
      'no page has a URL that can be read',
    ],
    ['cookie/mixed-parties', { cookies: [{}] }, 'no pages are given'],
    ['page/no-point', { points: [www], pages: ['nowhere'] }, 'because page/invalid failed'],
    ['url/prefix', { points: ['nowhere'] }, 'because url/invalid failed'],
    [
      'url/scheme-mismatch',
      { points: [www], pages: ['http://example.net'] },
      'because url/cross-site failed',
    ],
    ['cookie/never-sent', { points: [www] }, 'no cookies are listed'],
    ['cookie/never-sent', { points: [www], cookies: [{ name: '' }] }, 'no browser stores this cookie'],
    [
      'cookie/never-sent',
      { cookies: [{ sameSite: 'None', secure: false }] },
      'no browser stores this cookie',
    ],
    ['service/same-host', { points: [www] }, 'no service is given'],
    ['service/back-transfer-domain', { service: 'https://a.example' }, 'backTransfer is off'],
  ] as const)('%s of %j: %s', (id, given, message) => {
    expect(run(given).filter((finding) => finding.id === id)).toMatchObject([{ outcome: 'skipped', message }])
  })
})

it('cookies of several parties are told where the first stranger stands', () => {
  const cookies = [{}, { name: 'b', domain: 'www.example.net' }, { name: 'c', domain: 'www.example.net' }]
  const found = run({ pages: [wwwPage], cookies }).find(({ id }) => id === 'cookie/mixed-parties')
  expect(found?.location?.pointer).toBe('/cookies/1')
})

describe('the fix, applied literally, cures the fault', () => {
  it.each([
    [
      'url/prefix',
      { points: ['https://www.example.com/shop/service_cookie_transfer'] },
      `https://www.example.com/shop${prefix}`,
    ],
    ['url/prefix', { points: ['https://www.example.com/shop'] }, `https://www.example.com/shop${prefix}`],
    ['url/trailing-dot', { points: [`https://www.example.com.${prefix}`] }, www],
    ['url/plain-http', { points: [`http://www.example.com${prefix}`] }, www],
    ['page/no-point', { pages: ['https://www.example.com:8443/x'] }, `https://www.example.com:8443${prefix}`],
    [
      'cookie/never-sent',
      { pages: [wwwPage], cookies: [{ domain: '.example.com', path: '/shop/' }] },
      `https://www.example.com/shop${prefix}`,
    ],
    [
      'cookie/never-sent',
      { points: [www], cookies: [{ domain: 'example.com' }] },
      `https://example.com${prefix}`,
    ],
    [
      'cookie/never-sent',
      {
        pages: ['http://www.shop.localhost:8080/'],
        cookies: [{ domain: 'www.shop.localhost', secure: true }],
      },
      `http://www.shop.localhost:8080${prefix}`,
    ],
    [
      'cookie/path-not-covered',
      { points: [www], cookies: [{ path: '/shop' }] },
      `https://www.example.com/shop${prefix}`,
    ],
    [
      'cookie/insecure-only',
      { points: [`http://www.example.com${prefix}`], cookies: [{ secure: true }] },
      www,
    ],
    [
      'cookie/insecure-only',
      { points: [`http://www.example.com${prefix}`], cookies: [{ sameSite: 'None' }] },
      www,
    ],
    [
      'cookie/path-not-covered',
      { points: [`https://www.example.com/a${prefix}`], cookies: [{ path: prefix }] },
      www,
    ],
  ] as const)('%s of %j names %s', (id, given, url) => {
    const finding = run(given).find((each) => each.id === id && each.outcome === 'fail')
    expect(finding?.fix?.split(' ')).toContain(url)
    const cured = run({
      ...given,
      points: [...('points' in given ? given.points : []).filter(() => id.startsWith('cookie/')), url],
    })
    expect(cured.filter((each) => each.id === id && each.outcome === 'fail')).toEqual([])
  })
})

describe('page/invalid names the page that was most likely meant', () => {
  it.each([
    ['www.example.com', 'Write https://www.example.com/'],
    ['HTTP:www.example.com/shop', 'Write http://www.example.com/shop'],
    ['//WWW.example.com:8443/a', 'Write https://www.example.com:8443/a'],
    ['https://u:p@www.example.com/x?key=1', 'Write https://www.example.com/x'],
    ['https://www.example.com:0/', 'Write https://www.example.com/'],
    ['https:\\\\www.example.com\\shop', 'Write https://www.example.com/shop'],
    ['ftp://www.example.com/', 'Write it as https://HOST/, without credentials'],
    ['https://', 'Write it as https://HOST/, without credentials'],
    ['u:p', 'Write it as https://HOST/, without credentials'],
  ])('%s: %s', (page, fix) => {
    const [finding] = run({ pages: [page] }).filter(({ id }) => id === 'page/invalid')
    expect(finding).toMatchObject({ outcome: 'fail', fix })
    const [cured] = run({ pages: [fix.replace('Write ', '')] }).filter(({ id }) => id === 'page/invalid')
    expect(cured?.outcome).toBe(fix.startsWith('Write it') ? 'fail' : 'pass')
  })
})

describe('the fix of one finding holds the corrections of the others', () => {
  const bare = 'http://www.example.com/service_cookie_transfer'
  it.each<[string, readonly string[], string]>([
    [bare, [wwwPage], www],
    [bare, [], www],
    [`${bare}?x=1#f`, [wwwPage], www],
    [`HTTP://www.example.com.:80/shop${prefix}`, [wwwPage], `https://www.example.com/shop${prefix}`],
    ['http://www.example.com.:8443', [wwwPage], `https://www.example.com:8443${prefix}`],
    [`http://www.example.net.${prefix}?x`, ['https://example.net/'], `https://www.example.net${prefix}`],
    ['http://localhost:8080/shop', [], `http://localhost:8080/shop${prefix}`],
  ])('%s beside %j becomes %s', (point, pages, url) => {
    const failed = run({ points: [point], pages }).filter(
      ({ id, outcome }) => id.startsWith('url/') && outcome === 'fail',
    )
    const fixes = failed.flatMap(({ fix }) => (fix?.startsWith('Write ') ? [fix] : []))
    expect(new Set(fixes)).toEqual(new Set([`Write ${url}`]))
    const cured = run({ points: [url], pages }).filter(
      ({ id, outcome }) => /^url\//.test(id) && outcome === 'fail',
    )
    expect(cured.filter(({ id }) => id !== 'url/ip-host')).toEqual([])
  })

  it('keeps http where a page of the site is on http, for which only the warning wants https', () => {
    const given = { points: [bare], pages: ['http://www.example.com/'] }
    const failed = run(given).filter(({ id, outcome }) => id.startsWith('url/') && outcome === 'fail')
    expect(failed.map(({ id, corrected }) => [id, corrected])).toEqual([
      ['url/prefix', `http://www.example.com${prefix}`],
      ['url/plain-http', www],
    ])
  })
})

function run(given: Given) {
  const config = aConfig(given)
  return check(toOfflineFacts(config), rules, { only: [], skip: [], suppress: config.suppress }).findings
}
