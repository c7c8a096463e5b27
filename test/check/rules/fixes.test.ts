import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/check/finding.ts'
import { printWholeFix } from '../../../src/check/fix.ts'
import { type Given, prefix } from '../a-config.ts'
import { runOffline, www, wwwPage } from './rule-table.ts'

// What random configs of fixes.property.test.ts do not have.
it.each([
  ['url/prefix', { points: ['https://a.example/b/service_cookie_transfr/'] }, `https://a.example/b${prefix}`],
  ['url/trailing-dot', { points: [`https://www.example.com.${prefix}`] }, www],
  ['page/no-point', { pages: ['https://www.example.com:8443/x'] }, `https://www.example.com:8443${prefix}`],
  [
    'cookie/never-sent',
    {
      pages: ['http://www.shop.localhost:8080/'],
      cookies: [{ domain: 'www.shop.localhost', secure: true }],
    },
    `http://www.shop.localhost:8080${prefix}`,
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
] as const)('the fix, applied literally, resolves the fault %s of %j names %s', (id, given, url) => {
  const finding = runOffline(given).find((each) => each.id === id && each.outcome === 'fail')
  expect(textOf(finding)?.split(' ')).toContain(url)
  const cured = runOffline({
    ...given,
    points: [...('points' in given ? given.points : []).filter(() => id.startsWith('cookie/')), url],
  })
  expect(cured.filter((each) => each.id === id && each.outcome === 'fail')).toEqual([])
})

it.each([
  ['www.example.com', 'Write https://www.example.com/'],
  ['HTTP:www.example.com/shop', 'Write http://www.example.com/shop'],
  ['//WWW.example.com:8443/a', 'Write https://www.example.com:8443/a'],
  ['https://u:p@www.example.com/x?key=1', 'Write https://www.example.com/x'],
  ['https://www.example.com:0/', 'Write https://www.example.com/'],
  ['https:\\\\www.example.com\\shop', 'Write https://www.example.com/shop'],
  ['ftp://www.example.com/', 'Write it as https://HOST/, without credentials'],
  ['https://', 'Write it as https://HOST/, without credentials'],
  ['https://*.example.com/', 'Write it as https://HOST/, without credentials'],
  ['/shop', 'Write it as https://HOST/, without credentials'],
  ['u:p', 'Write it as https://HOST/, without credentials'],
])('page/invalid suggests the page that was probably meant %s: %s', (page, fix) => {
  const finding = find('page/invalid', { pages: [page] })
  expect([finding?.outcome, textOf(finding)]).toEqual(['fail', fix])
  const cured = find('page/invalid', { pages: [fix.replace('Write ', '')] })
  expect(cured?.outcome).toBe(fix.startsWith('Write it') ? 'fail' : 'pass')
})

describe('the fix of one finding includes the corrections of the others', () => {
  const bare = 'http://www.example.com/service_cookie_transfer'
  it.each<[string, readonly string[], string]>([
    [bare, [wwwPage], www],
    [bare, [], www],
    [`${bare}?x=1#f`, [wwwPage], www],
    [`HTTP://www.example.com.:80/shop${prefix}`, [wwwPage], `https://www.example.com/shop${prefix}`],
    // An http port speaks no TLS: the https page knows the port, or it is the usual one.
    ['http://www.example.com.:8443', [wwwPage], www],
    [`http://www.example.com:8080${prefix}`, [wwwPage], www],
    [`http://www.example.com:8080${prefix}`, ['https://example.com:8443/'], www],
    [
      `http://www.example.com:8080${prefix}`,
      ['https://www.example.com:8443/'],
      `https://www.example.com:8443${prefix}`,
    ],
    [`http://www.example.com:8080${prefix}`, [], www],
    [`http://www.example.net.${prefix}?x`, ['https://example.net/'], `https://www.example.net${prefix}`],
    ['http://localhost:8080/shop', [], `http://localhost:8080/shop${prefix}`],
  ])('%s beside %j becomes %s', (point, pages, url) => {
    const failed = failedUrls({ points: [point], pages })
    const fixes = failed.flatMap(({ fix }) => (fix?.what.startsWith('Write ') ? [fix.what] : []))
    expect(new Set(fixes)).toEqual(new Set([`Write ${url}`]))
    const cured = failedUrls({ points: [url], pages })
    expect(cured.filter(({ id }) => id !== 'url/ip-host')).toEqual([])
  })

  it.each([
    [[], ', or with its port, if https is on another than 443'],
    [['https://example.com/'], ', or with its port, if https is on another than 443'],
    [['https://www.example.com:8443/'], undefined],
    [
      ['http://www.example.com:8080/'],
      ', and serve the page over https: write https://www.example.com/ in place of http://www.example.com:8080/ in "pages", or with its port, if https is on another than 443',
    ],
  ])('asks for the port of https if no page tells it: %j', (pages, rest) => {
    const points = [`http://www.example.com:8080${prefix}`]
    const finding = find('url/plain-http', { points, pages })
    const url = rest === undefined ? `https://www.example.com:8443${prefix}` : www
    expect(textOf(finding)).toBe(`Write ${url}${rest ?? ''}`)
  })

  it('keeps http if a page of the site is on http, where only a warning asks for https', () => {
    const failed = failedUrls({ points: [bare], pages: ['http://www.example.com/'] })
    expect(failed.map(({ id, fix }) => [id, fix?.url])).toEqual([
      ['url/prefix', `http://www.example.com${prefix}`],
      ['url/plain-http', www],
    ])
  })
})

describe('url/prefix recognises the prefix of another vendor, which replaces no part of the cookie path', () => {
  const acme = '/acme_cookie_transfer/'
  const set = (other: string) => `, or set "service.prefix" to "${other}" if that is the vendor's`
  it.each<[point: string, ours: string, fix: string]>([
    [`https://www.example.com${acme}`, prefix, `Write ${www}${set(acme)}`],
    [
      `https://www.example.com/shop${acme.slice(0, -1)}`,
      prefix,
      `Write https://www.example.com/shop${prefix}${set(acme)}`,
    ],
    [
      'https://www.example.com/Service_Cookie_Transfer/store',
      prefix,
      `Write ${www}${set('/Service_Cookie_Transfer/')}`,
    ],
    [www, acme, `Write https://www.example.com${acme}${set(prefix)}`],
    [`https://www.example.com${prefix}x`, prefix, `Write ${www}`],
  ])('%s with the prefix %s: %s', (point, ours, fix) => {
    const finding = find('url/prefix', { points: [point], prefix: ours })
    expect([finding?.outcome, textOf(finding)]).toEqual(['fail', fix])
  })
})

it.each([
  ['/shop/*', 'Write "path": "/shop" if the star was meant as a wildcard (cookie paths have none), or add '],
  ['/shop*', 'Write "path": "/shop" if the star was meant as a wildcard (cookie paths have none), or add '],
  ['/sh*op', `Add https://www.example.com/sh*op${prefix} to "points"`],
])('cookie/path-not-covered takes a star at the end of a path for a wildcard: %s', (path, fix) => {
  const given = { points: [www], pages: [wwwPage], cookies: [{ path }] }
  expect(textOf(find('cookie/path-not-covered', given))).toContain(fix)
})

function find(id: string, given: Given): Finding | undefined {
  return runOffline(given).find((finding) => finding.id === id)
}

function failedUrls(given: Given): readonly Finding[] {
  return runOffline(given).filter(({ id, outcome }) => id.startsWith('url/') && outcome === 'fail')
}

function textOf(finding: Finding | undefined): string | undefined {
  return finding?.fix && printWholeFix(finding.fix)
}
