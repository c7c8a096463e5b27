import { expect, it, vi } from 'vitest'
import { findOnPath, judgeCarriages } from '../../src/check/carriage.ts'
import { check } from '../../src/check/check.ts'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import type { FoundScope } from '../../src/scopes/found-scope.ts'
import { toFirstConfig } from '../../src/setup/first-config.ts'
import { configOf } from '../support/config-of.ts'

const PREFIX = '/service_cookie_transfer/'

/** Reads of a property that every one of `count` cookies has. */
function counted<T extends object>(objects: readonly T[], property: keyof T) {
  const counter = { reads: 0 }
  const watched = objects.map((object) => {
    const value = object[property]
    return Object.defineProperty({ ...object }, property, {
      enumerable: true,
      get: () => {
        counter.reads += 1
        return value
      },
    })
  })
  return { counter, watched }
}

/** Cookies that no browser stores: a `__Host-` name with a path. */
const unstorable = (count: number): readonly FoundScope[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `__Host-${at}`,
    domain: 'www.example.com',
    path: '/shop',
    httponly: true,
    secure: true,
    sameSite: undefined,
  }))

it('init checks each cookie as often for 1,000 refused ones as for 10', () => {
  const readsPerCookie = [10, 1_000].map((count) => {
    const { counter, watched } = counted(unstorable(count), 'name')
    const made = toFirstConfig({
      pages: ['https://www.example.com/'],
      points: [],
      scopes: watched,
      serviceUrl: 'https://service.example',
      prefix: PREFIX,
    })
    expect(made).toMatchObject({ scopes: [] })
    return counter.reads / count
  })
  expect(readsPerCookie[1]).toBe(readsPerCookie[0])
})

it('check judges each cookie as often with 400 points on other paths as with 4', () => {
  const readsPerCookie = [4, 400].map((count) => {
    const paths = Array.from({ length: count }, (_, at) => `/shop-${at}`)
    const facts = gatherOfflineFacts(
      configOf({
        pages: ['https://www.example.com/'],
        points: paths.map((path) => `https://www.example.com${path}${PREFIX}`),
        cookies: paths.map((path) => ({ name: 'id', domain: 'www.example.com', path, httponly: true })),
      }),
    )
    const { counter, watched } = counted(
      facts.cookies.flatMap(({ judged: { scope } }) => scope ?? []),
      'path',
    )
    const judged = watched.map((scope) => ({ faults: [], domain: scope, scope }))
    const carriages = judgeCarriages(judged, facts.points, facts.pagesBySite)
    expect(new Set(carriages.map(({ kind }) => kind))).toEqual(new Set(['sent']))
    return counter.reads / count
  })
  expect(readsPerCookie[1]).toBe(readsPerCookie[0])
})

it('check looks for cookies by path only on domains that have some', () => {
  const get = vi.spyOn(Map.prototype, 'get')
  findOnPath(new Map(), 'a.'.repeat(100), '/b'.repeat(100))
  expect(get.mock.calls.length).toBeLessThan(200)
  get.mockRestore()
})

it.each([1, 800])('check finds the missing points of 800 hosts, %i with a page, like a sort', (pages) => {
  const readsPerCookie = [20, 800].map((count) => {
    const hosts = Array.from({ length: count }, (_, at) => `h${at}.example.com`)
    const facts = gatherOfflineFacts(
      configOf({
        pages: hosts.slice(0, pages).map((host) => `https://${host}/`),
        points: [`https://www.example.com${PREFIX}`],
        cookies: hosts.map((domain, at) => ({ name: 'id', domain, path: `/${at}`, httponly: true })),
      }),
    )
    const { counter, watched } = counted(
      facts.cookies.flatMap(({ judged: { scope } }) => scope ?? []),
      'host',
    )
    const cookies = facts.cookies.map((cookie, at) => ({
      ...cookie,
      judged: { ...cookie.judged, scope: watched[at] },
    }))
    const selection = { only: ['cookie/never-sent'], skip: [], suppress: [] }
    const { causes } = check({ ...facts, cookies }, rules, selection)
    expect(causes).toHaveLength(count)
    return counter.reads / count
  })
  expect(Number(readsPerCookie[1])).toBeLessThan(3 * Number(readsPerCookie[0]))
})

it('check reads the URL of each page as often with 1,000 http points of one site as with 20', () => {
  const readsPerPage = [20, 1_000].map((count) => {
    const origins = Array.from({ length: count }, (_, at) => `http://h${at}.example.com`)
    const facts = gatherOfflineFacts(
      configOf({
        pages: origins.map((origin) => `${origin}/`),
        points: origins.map((origin) => `${origin}${PREFIX}`),
      }),
    )
    const [site, pages] = [...facts.pagesBySite][0] ?? ['', []]
    const { counter, watched } = counted(pages, 'url')
    const pagesBySite = new Map([[site, watched]])
    const { findings } = check({ ...facts, pagesBySite }, rules, {
      only: ['url/plain-http'],
      skip: [],
      suppress: [],
    })
    const fixes = findings.flatMap(({ id, fix }) => (id === 'url/plain-http' && fix ? [fix.what] : []))
    expect(fixes).toHaveLength(count)
    expect(fixes[0]).toMatch(new RegExp(` and so on for ${count - 10} more in "pages"$`))
    expect(Math.max(...fixes.map(({ length }) => length))).toBeLessThan(2_000)
    // The ten that each fix lists are read for each point.
    return Math.round(counter.reads / count)
  })
  expect(readsPerPage[1]).toBeLessThanOrEqual(Number(readsPerPage[0]) + 1)
})
