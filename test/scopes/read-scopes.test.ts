import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readScopes } from '../../src/scopes/read-scopes.ts'

const scope = (name: string, domain: string, path = '/', more: object = {}) => ({
  name,
  domain,
  path,
  httponly: false,
  secure: false,
  sameSite: undefined,
  ...more,
})

const har = (entries: readonly unknown[], creator = 'Firefox') =>
  JSON.stringify({ log: { creator: { name: creator }, entries } })
const entry = (url: string, setCookie: readonly string[], more: object = {}) => ({
  request: { url, cookies: [] },
  response: { headers: setCookie.map((value) => ({ name: 'Set-Cookie', value })), cookies: [] },
  ...more,
})

describe('scopes of an export', () => {
  it.each<[string, string, string | undefined, readonly object[]]>([
    [
      'cookies.txt: host-only, domain, httpOnly, comments',
      '# Netscape HTTP Cookie File\n\nwww.example.com\tFALSE\t/\tTRUE\t0\tsid\tVALUE\n#HttpOnly_.example.com\tTRUE\t/shop\tFALSE\t17\tbasket\tVALUE\n',
      undefined,
      [
        scope('basket', '.example.com', '/shop', { httponly: true }),
        scope('sid', 'www.example.com', '/', { secure: true }),
      ],
    ],
    [
      'Set-Cookie lines among others, as curl -i prints them',
      'HTTP/1.1 200 OK\r\nSet-Cookie: sid=VALUE; Path=/; HttpOnly; Secure; SameSite=lax\r\nset-cookie: b=VALUE; Domain=.Example.COM\r\n\r\n<html>',
      'www.example.com',
      [
        scope('b', '.example.com'),
        scope('sid', 'www.example.com', '/', { httponly: true, secure: true, sameSite: 'Lax' }),
      ],
    ],
    [
      'Set-Cookie values without the field name',
      'sid=VALUE; Path=/a; Path=/b',
      'h.example',
      [scope('sid', 'h.example', '/b')],
    ],
    [
      'HAR: Set-Cookie fields, the path of the request as default path',
      har([
        entry('https://www.example.com/shop/cart?x', ['basket=VALUE; HttpOnly']),
        entry('https://www.example.com/', ['a=VALUE\nb=VALUE; Secure']),
      ]),
      undefined,
      [
        scope('a', 'www.example.com'),
        scope('b', 'www.example.com', '/', { secure: true }),
        scope('basket', 'www.example.com', '/shop', { httponly: true }),
      ],
    ],
    [
      'HAR: listed cookies where fields are missing',
      har([
        entry('https://www.example.com/', [], {
          response: {
            cookies: [
              {
                name: 'sid',
                value: 'VALUE',
                domain: '.example.com',
                path: '/',
                httpOnly: true,
                sameSite: 'None',
              },
            ],
          },
        }),
      ]),
      undefined,
      [scope('sid', '.example.com', '/', { httponly: true, sameSite: 'None' })],
    ],
    [
      'the last word on a scope wins',
      'a=1; Path=/\na=2; Path=/; HttpOnly',
      'h.example',
      [scope('a', 'h.example', '/', { httponly: true })],
    ],
  ])('%s', (_what, text, host, expected) => {
    const found = readScopes(text, host)
    expect(found).toMatchObject({ scopes: expected, notes: [] })
    expect(JSON.stringify(found)).not.toContain('VALUE')
  })

  it.each<[string, string, RegExp]>([
    [
      'a sanitised HAR of Chrome',
      har([entry('https://a.example/', [])], 'WebInspector'),
      /sanitised export of Chrome/,
    ],
    ['a HAR without cookies', har([entry('https://a.example/', [])]), /holds no cookie/],
    [
      'cookies seen in requests alone',
      har([
        { request: { url: 'https://a.example/', cookies: [{ name: 'sid', value: 'VALUE' }] }, response: {} },
      ]),
      /Only seen in requests.*: sid\./,
    ],
    ['a Set-Cookie line of an unknown host', 'Set-Cookie: a=VALUE', /cookie a has no Domain/],
    [
      'a line of cookies.txt that is none',
      'a.example\tFALSE\t/\tTRUE\t0\tsid\tVALUE\nnonsense',
      /1 lines are not/,
    ],
  ])('says so: %s', (_what, text, note) => {
    const found = readScopes(text, undefined)
    expect(found).toMatchObject({ notes: [expect.stringMatching(note)] })
    expect(JSON.stringify(found)).not.toContain('VALUE')
  })

  it.each(['', 'hello', '{}', '{"log":', '[1]', '\u0000\u0001'])('names what it can’t read: %j', (text) => {
    expect(readScopes(text, undefined)).toMatch(/^This /)
  })

  it('never throws, whatever the export holds', () => {
    const json = fc.json().map((text) => `{"log":{"entries":[${text}]}}`)
    const line = fc.string({ unit: 'binary' }).map((text) => `Set-Cookie: ${text}`)
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), json, line),
        (text) => void readScopes(text, 'h.example'),
      ),
    )
  })
})
