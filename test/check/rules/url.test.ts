import { expect, it } from 'vitest'
import { prefix } from '../a-config.ts'
import { at, fails, runOffline, testRules, www, wwwPage } from './rule-table.ts'

const shop = at('https://www.example.com/shop')
const a = at('https://www.example.com/a')
const otherHost = at('https://shop.example.com/a')
const bx = at('https://b.example.com/x')
const ofDomain = { domain: '.example.com' }

testRules('url', {
  'url/invalid': [
    [{ points: [www] }, []],
    [{ points: [`HTTPS://WWW.example.com${prefix}`] }, []],
    [{ points: [at('http://[::1]:8080')] }, []],
    fails(['www.example.com']),
    fails([`ftp://www.example.com${prefix}`]),
    [{ points: [at('https://u:p@www.example.com')] }, [at('https://…@www.example.com')]],
    [{ points: [`${www}?key=1`] }, [`${www}?…`]],
    [{ points: [`${www}#x`] }, [`${www}#…`]],
    fails([at('https://www.example.com/a/..')]),
    fails([at('https://www.example.com/%2e%2E')]),
    fails([at('https://www.example.com:99999')]),
  ],
  'url/prefix': [
    [{ points: [www, shop] }, []],
    [{ points: [`https://www.example.com/cobrowse/`], prefix: '/cobrowse/' }, []],
    fails([www.slice(0, -1)]),
    fails([`${www}store`]),
    fails([`${www.slice(0, -1)}${prefix}`]),
    fails(['https://www.example.com/Service_Cookie_Transfer/']),
  ],
  'url/duplicate': [
    [{ points: [www, at('http://www.example.com')] }, []],
    [{ points: [www, at('https://WWW.EXAMPLE.com:443')] }, [at('https://WWW.EXAMPLE.com:443')]],
    [
      { points: [at('https://xn--bcher-kva.example'), at('https://bücher.example')] },
      [at('https://bücher.example')],
    ],
    [{ points: [at('https://a.example/A'), at('https://a.example/a')] }, []],
    [{ points: [at('https://a.example/%41'), at('https://a.example/A')] }, []],
  ],
  'url/trailing-dot': [
    [{ points: [www] }, []],
    fails([at('https://www.example.com.')]),
    fails([at('https://www.example.com.:8443')]),
  ],
  'url/public-suffix-host': [
    [{ points: [www, at('https://shop.github.io'), at('http://localhost')] }, []],
    fails([at('https://github.io'), at('https://com'), at('https://co.uk')]),
  ],
  'url/ip-host': [
    [{ points: [www, at('https://com'), at('http://www.shop.localhost:8080')] }, []],
    fails([at('http://127.0.0.1'), at('https://[2001:db8::1]'), at('http://localhost')]),
  ],
  'url/cross-site': [
    [{ points: [www] }, []],
    [{ points: [www], pages: ['http://example.com:8080/x'] }, []],
    [{ points: [www], pages: ['https://www.example.net/', 'https://a.example.com/'] }, []],
    fails([www], { pages: ['https://www.example.net/'] }),
    fails([at('https://a.github.io')], { pages: ['https://b.github.io/'] }),
    fails([at('https://www.example.com.')], { pages: [wwwPage] }),
    [{ points: [at('http://127.0.0.1:1')], pages: ['http://127.0.0.1:2/'] }, []],
    fails([at('http://127.0.0.1')], { pages: ['http://127.0.0.2/'] }),
    fails([at('http://b.localhost')], { pages: ['http://a.localhost/'] }),
  ],
  'url/scheme-mismatch': [
    [{ points: [www], pages: [wwwPage] }, []],
    fails([www], { pages: ['http://www.example.com/'] }),
    [{ points: [www], pages: ['http://www.example.com/', 'https://shop.example.com/'] }, []],
    [{ points: [www], pages: ['http://www.example.net/'] }, []],
    fails([at('http://localhost')], { pages: ['https://localhost/'] }),
    [{ points: [at('http://www.example.com')], pages: [wwwPage] }, []],
  ],
  'url/mixed-content': [
    [{ points: [www], pages: [wwwPage] }, []],
    fails([at('http://www.example.com')], { pages: [wwwPage] }),
    [{ points: [at('http://www.example.com')], pages: [wwwPage, 'http://m.example.com/'] }, []],
    [{ points: [at('http://www.example.com')], pages: ['https://www.example.net/'] }, []],
    [{ points: [at('http://www.shop.localhost')], pages: ['https://www.shop.localhost/'] }, []],
  ],
  'url/plain-http': [
    [{ points: [www] }, []],
    fails([at('http://www.example.com')]),
    [
      {
        points: [
          at('http://localhost'),
          at('http://127.9.9.9'),
          at('http://[::1]'),
          at('http://a.localhost'),
        ],
      },
      [],
    ],
  ],
  'url/redundant': [
    [{ points: [www], pages: [wwwPage], cookies: [{}] }, []],
    // The point on / of an origin is where the instructions of the service verify.
    [{ points: [www, shop], pages: [wwwPage], cookies: [{}, { path: '/shop' }] }, []],
    [
      { points: [a, at('https://www.example.com/a/b')], pages: [wwwPage], cookies: [{}, { path: '/a/b' }] },
      [a],
    ],
    [{ points: [www, otherHost], pages: [wwwPage], cookies: [ofDomain] }, [otherHost]],
    [{ points: [www, otherHost], pages: [wwwPage, 'https://shop.example.com/'], cookies: [ofDomain] }, []],
    [{ points: [at('https://a.example.com/x'), bx], pages: [wwwPage], cookies: [ofDomain] }, [bx]],
    [
      {
        points: [a, at('http://www.example.com/a')],
        pages: [wwwPage, 'http://m.example.com/'],
        cookies: [{ secure: false }],
      },
      [],
    ],
    [{ points: [www, shop], pages: [wwwPage] }, []],
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
