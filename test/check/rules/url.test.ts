import { expect, it } from 'vitest'
import { prefix } from '../a-config.ts'
import { runOffline, testRules, www, wwwPage } from './rule-table.ts'

testRules('url', {
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
})

it('names the public suffix that a point has in common with the pages', () => {
  const said = (page: string, host = 'a.github.io') => {
    const findings = runOffline({ points: [`https://${host}${prefix}`], pages: [page] })
    return findings.find(({ id }) => id === 'url/cross-site')?.message
  }
  expect(said('https://b.github.io/')).toMatch(
    /: github\.io is a public suffix, with a site for each name below it$/,
  )
  expect(said('https://www.example.com/')).toBe(
    'No page is on the site a.github.io, so the widget ignores this point',
  )
  expect(said('https://1.0.0.1/', '127.0.0.1')).not.toContain('public suffix')
})
