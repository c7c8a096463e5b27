import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readScopes, readTypedCookies } from '../../src/scopes/read-scopes.ts'

const nowMs = Date.parse('2026-05-04T12:00:00Z')

const scope = (name: string, domain: string, path = '/', more: object = {}) => ({
  name,
  domain,
  path,
  httponly: false,
  secure: false,
  sameSite: undefined,
  ...more,
})

/** A cookie as exports list it. */
const listed = (name: string, domain: string, path: string, more: object = {}) => ({
  name,
  value: 'VALUE',
  domain,
  path,
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
  it.each(
    Object.entries<readonly [string, string | undefined, readonly object[]]>({
      'cookies.txt: host-only, domain, httpOnly, comments': [
        '# Netscape HTTP Cookie File\n\nwww.example.com\tFALSE\t/\tTRUE\t0\tsid\tVALUE\n#HttpOnly_.example.com\tTRUE\t/shop\tFALSE\t17\tbasket\tVALUE\n',
        undefined,
        [
          scope('basket', '.example.com', '/shop', { httponly: true }),
          scope('sid', 'www.example.com', '/', { secure: true }),
        ],
      ],
      'cookies.txt of wget, which writes an unusual port beside the host': [
        'www.example.com:8443\tFALSE\t/\tTRUE\t0\tsid\tVALUE\n[::1]:8443\tFALSE\t/\tFALSE\t0\ta\tVALUE\n::1\tFALSE\t/\tFALSE\t0\tb\tVALUE\n',
        undefined,
        [scope('b', '::1'), scope('a', '[::1]'), scope('sid', 'www.example.com', '/', { secure: true })],
      ],
      'Set-Cookie lines among others, as curl -i prints them': [
        'HTTP/1.1 200 OK\r\nSet-Cookie: sid=VALUE; Path=/; HttpOnly; Secure; SameSite=lax\r\nset-cookie: b=VALUE; Domain=.Example.COM\r\n\r\n<html>',
        'www.example.com',
        [
          scope('b', '.example.com'),
          scope('sid', 'www.example.com', '/', { httponly: true, secure: true, sameSite: 'Lax' }),
        ],
      ],
      'a Domain that is a public suffix, and the host itself': [
        'Set-Cookie: sid=VALUE; Domain=localhost',
        'localhost',
        [scope('sid', 'localhost')],
      ],
      'a Domain that is a public suffix, on a host below it': [
        'Set-Cookie: sid=VALUE; Domain=localhost',
        'www.localhost',
        [scope('sid', '.localhost')],
      ],
      'a Set-Cookie line whose Domain is an address, which has no subdomains': [
        'Set-Cookie: sid=VALUE; Domain=127.0.0.1',
        '127.0.0.1',
        [scope('sid', '127.0.0.1')],
      ],
      'Set-Cookie values without the field name': [
        'sid=VALUE; Path=/a; Path=/b',
        'h.example',
        [scope('sid', 'h.example', '/b')],
      ],
      'HAR: Set-Cookie fields, the path of the request as default path': [
        har([
          entry('https://www.example.com/shop/cart?x', ['basket=VALUE; HttpOnly']),
          entry('https://www.example.com/', ['a=VALUE\nb=VALUE; Secure']),
          entry('data:text/plain,x', ['nowhere=VALUE']),
        ]),
        undefined,
        [
          scope('a', 'www.example.com'),
          scope('b', 'www.example.com', '/', { secure: true }),
          scope('basket', 'www.example.com', '/shop', { httponly: true }),
        ],
      ],
      'HAR: listed cookies where fields are missing': [
        har([
          entry('https://www.example.com/', [], {
            response: { cookies: [listed('sid', '.example.com', '/', { httpOnly: true, sameSite: 'None' })] },
          }),
        ]),
        undefined,
        [scope('sid', '.example.com', '/', { httponly: true, sameSite: 'None' })],
      ],
      'HAR of Chrome: the cookies of a request, with their scope': [
        har(
          [
            {
              request: {
                url: 'https://www.example.com/',
                cookies: [
                  listed('sid', '.example.com', '/', {
                    expires: '2026-10-10T10:10:10.000Z',
                    httpOnly: true,
                    secure: true,
                    sameSite: 'Lax',
                  }),
                  listed('b', 'www.example.com', '/shop', { httpOnly: false, secure: false }),
                ],
              },
              response: {},
            },
          ],
          'WebInspector',
        ),
        undefined,
        [
          scope('sid', '.example.com', '/', { httponly: true, secure: true, sameSite: 'Lax' }),
          scope('b', 'www.example.com', '/shop'),
        ],
      ],
      'JSON of Cookie-Editor and EditThisCookie: hostOnly, and their words for SameSite': [
        JSON.stringify([
          listed('sid', 'www.example.com', '/', {
            expirationDate: 1_900_000_000,
            hostOnly: true,
            httpOnly: true,
            sameSite: 'no_restriction',
            secure: true,
            session: false,
            storeId: '0',
            id: 1,
          }),
          listed('b', 'Example.com', '/shop', { hostOnly: false, sameSite: 'strict' }),
          listed('c', '.example.com', '/', { hostOnly: false, sameSite: 'unspecified' }),
          listed('d', '.example.com', '/', { hostOnly: false, sameSite: 'no_restriction', secure: false }),
          listed('e', '.example.com', '/', { hostOnly: false, sameSite: null }),
        ]),
        undefined,
        [
          scope('c', '.example.com'),
          scope('d', '.example.com'),
          scope('e', '.example.com'),
          scope('b', '.example.com', '/shop', { sameSite: 'Strict' }),
          scope('sid', 'www.example.com', '/', { httponly: true, secure: true, sameSite: 'None' }),
        ],
      ],
      'HAR: lines joined by a comma, among commas of dates and values': [
        har([
          entry('https://www.example.com/', [
            'a=VALUE; Path=/; HttpOnly, b=VALUE; Path=/shop; Expires=Wed, 21 Oct 2037 07:28:00 GMT,c=VALUE,d=VALUE; Secure',
          ]),
        ]),
        undefined,
        [
          scope('a', 'www.example.com', '/', { httponly: true }),
          scope('c', 'www.example.com', '/', { secure: true }),
          scope('b', 'www.example.com', '/shop'),
        ],
      ],
      'HAR: pages of an extension, and a domain for the host alone': [
        har([
          entry('chrome-extension://abcdef/', ['a=VALUE']),
          entry('https://www.example.com/', [], {
            response: { cookies: [listed('sid', 'www.example.com', '/'), { name: 'b', path: '/shop' }] },
          }),
        ]),
        undefined,
        [scope('sid', 'www.example.com'), scope('b', 'www.example.com', '/shop')],
      ],
      'storageState of Playwright': [
        JSON.stringify({
          cookies: [
            listed('sid', 'www.example.com', '/', { expires: -1, httpOnly: true, sameSite: 'Lax' }),
            listed('basket', '.example.com', '/shop', { expires: 1893456000.1, sameSite: '__proto__' }),
          ],
          origins: [{ origin: 'https://www.example.com', localStorage: [{ name: 'k', value: 'VALUE' }] }],
        }),
        undefined,
        [
          scope('basket', '.example.com', '/shop'),
          scope('sid', 'www.example.com', '/', { httponly: true, sameSite: 'Lax' }),
        ],
      ],
      'JSON of Cookie Quick Manager': [
        JSON.stringify([
          {
            'Host raw': 'https://.example.com/',
            'Name raw': 'sid',
            'Path raw': '/',
            'Content raw': 'VALUE',
            'Send for raw': 'true',
            'HTTP only raw': 'true',
            'SameSite raw': 'lax',
            'This domain only raw': 'false',
          },
          {
            'Host raw': 'http://www.example.com/',
            'Name raw': 'b',
            'Path raw': '/shop',
            'Send for raw': 'false',
            'HTTP only raw': 'false',
            'SameSite raw': 'no_restriction',
            'This domain only raw': 'true',
          },
        ]),
        undefined,
        [
          scope('sid', '.example.com', '/', { httponly: true, secure: true, sameSite: 'Lax' }),
          scope('b', 'www.example.com', '/shop'),
        ],
      ],
      'JSON lines': [
        `${JSON.stringify(listed('sid', 'www.example.com', '/'))}\r\n\n${JSON.stringify(listed('b', '.example.com', '/'))}\n`,
        undefined,
        [scope('b', '.example.com'), scope('sid', 'www.example.com')],
      ],
      'rows copied from the developer tools of Chrome': [
        'Name\tValue\tDomain\tPath\tExpires / Max-Age\tSize\tHttpOnly\tSecure\tSameSite\nsid\tVALUE\twww.example.com\t/\tSession\t8\t✓\t✓\tLax\t\t\tMedium\nb\tVALUE\t.example.com\t/shop\t2037-10-21T07:28:00.000Z\t6\nc\tVALUE\twww.example.com\t/\tSession\t6\t\t✓\tNone\thttps://example.com\t\tMedium',
        undefined,
        [
          scope('b', '.example.com', '/shop'),
          scope('c', 'www.example.com', '/', { secure: true, sameSite: 'None' }),
          scope('sid', 'www.example.com', '/', { httponly: true, secure: true, sameSite: 'Lax' }),
        ],
      ],
      'cookies.txt of an IPv6 address': [
        '[::1]\tFALSE\t/\tFALSE\t0\tsid\tVALUE\n',
        undefined,
        [scope('sid', '[::1]')],
      ],
      'the last word on a scope wins': [
        'a=1; Path=/\na=2; Path=/; HttpOnly',
        'h.example',
        [scope('a', 'h.example', '/', { httponly: true })],
      ],
    }),
  )('%s', (_what, [text, host, expected]) => {
    const found = readScopes(text, { host, nowMs })
    expect(found).toMatchObject({ scopes: expected, notes: [] })
    expect(JSON.stringify(found)).not.toContain('VALUE')
  })

  it.each(
    Object.entries<readonly [string, RegExp]>({
      'a sanitised HAR of Chrome': [
        har([entry('https://a.example/', [])], 'WebInspector'),
        /sanitised export of Chrome/,
      ],
      'a HAR without cookies': [har([entry('https://a.example/', [])]), /contains no cookies/],
      'cookies seen in requests alone': [
        har([
          {
            request: { url: 'https://a.example/', cookies: [{ name: 'sid', value: 'VALUE' }] },
            response: { headers: [{ name: { toString: 1 }, value: [] }] },
            startedDateTime: { toString: 1 },
          },
        ]),
        /Seen only in requests.*: sid\./,
      ],
      'an empty list': ['[]', /^The list contains no cookies\.$/],
      'entries of a list that are not cookies': [
        '[{"name": "a", "domain": "h.example", "path": "/", "value": "VALUE"}, {"value": "VALUE"}, 1]',
        /^2 entries of the list have no name, domain or path; left out\.$/,
      ],
      'a Set-Cookie line of an unknown host': [
        'Set-Cookie: a=VALUE',
        /^1 Set-Cookie line has no Domain, and which of several hosts sent it is unknown; left out: a\.$/,
      ],
      'Set-Cookie lines without a name': [
        'Set-Cookie: =VALUE\nSet-Cookie:\nSet-Cookie: a=VALUE; Domain=h.example',
        /^2 Set-Cookie lines name no cookie and were left out\.$/,
      ],
      'an invalid line of cookies.txt': [
        'a.example\tFALSE\t/\tTRUE\t0\tsid\tVALUE\nnonsense',
        /^1 line is not in the form of a cookies\.txt and left out: 2\.$/,
      ],
      'many lines of cookies.txt that are none': [
        `a.example\tFALSE\t/\tTRUE\t0\tsid\tVALUE\n#\n${'nonsense\n'.repeat(12)}`,
        /^12 lines are not .* and left out: 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more\.$/,
      ],
    }),
  )('says so: %s', (_what, [text, note]) => {
    const found = readScopes(text, { host: undefined, nowMs })
    expect(found).toMatchObject({ notes: [expect.stringMatching(note)] })
    expect(JSON.stringify(found)).not.toContain('VALUE')
  })

  it.each(
    Object.entries<readonly [string, readonly string[], RegExp]>({
      'a Domain that does not match the host, of which a browser keeps nothing': [
        'Set-Cookie: a=VALUE; Domain=example.net\nSet-Cookie: b=VALUE; Domain=shop.www.example.com\nSet-Cookie: c=VALUE; Domain=EXAMPLE.com',
        ['c'],
        /^2 Set-Cookie lines have a Domain that the host does not match, so a browser refuses them; left out: a, b\.$/,
      ],
      deletions: [
        'Set-Cookie: a=; Max-Age=0\nSet-Cookie: b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT\nSet-Cookie: c=; max-age=-1\nSet-Cookie: d=VALUE; Max-Age=60; Expires=Thu, 01-Jan-1970 00:00:00 GMT\nSet-Cookie: e=VALUE; Max-Age=soon; Expires=never\nSet-Cookie: f=VALUE; Expires=Mon, 04 May 2026 12:00:01 GMT\nSet-Cookie: g=VALUE; Expires=0',
        ['d', 'e', 'f', 'g'],
        /^3 Set-Cookie lines delete a cookie; left out: a, b, c\.$/,
      ],
      'an answer of the past, whose cookies expired since': [
        'Date: Sun, 03 May 2026 12:00:00 GMT\nSet-Cookie: a=VALUE; Expires=Sun, 03 May 2026 13:00:00 GMT\nSet-Cookie: b=; Expires=Sun, 03 May 2026 11:00:00 GMT',
        ['a'],
        /^1 Set-Cookie line deletes a cookie; left out: b\.$/,
      ],
      'a list of an archive, with a cookie that has expired, and one that browsers refuse': [
        har([
          entry('https://www.example.com/', [], {
            response: {
              cookies: [
                listed('sid', 'www.example.com', '/', { expires: '2037-10-21T07:28:00Z' }),
                listed('gone', '.example.com', '/', { expires: '1970-01-01T00:00:00Z' }),
              ],
            },
          }),
        ]),
        ['sid'],
        /^1 Set-Cookie line deletes a cookie; left out: gone\.$/,
      ],
      'a public suffix': [
        'Set-Cookie: a=VALUE; Domain=com\nSet-Cookie: b=VALUE; Domain=example.com',
        ['b'],
        /^1 Set-Cookie line has a Domain that is a public suffix, so a browser refuses it; left out: a\.$/,
      ],
      'partitions of other sites, and frames within them': [
        JSON.stringify([
          listed('a', '.www.example.com', '/', { partitionKey: { topLevelSite: 'https://partner.example' } }),
          listed('b', 'www.example.com', '/', { partitionKey: 'https://partner.example' }),
          listed('c', 'www.example.com', '/', {
            partitionKey: { topLevelSite: 'https://example.com', hasCrossSiteAncestor: true },
          }),
          listed('d', 'www.example.com', '/', { partitionKey: { topLevelSite: 'https://example.com' } }),
          listed('e', 'www.example.com', '/', { partitionKey: {} }),
          listed('f', 'www.example.com', '/', { partitionKey: null }),
        ]),
        ['d', 'e', 'f'],
        /^Cookies that browsers send only within other sites are left out: a, b, c\.$/,
      ],
      'a cookies.txt whose dots and flags contradict each other, as host-only': [
        '#HttpOnly_.example.com\tFALSE\t/\tTRUE\t1893456000\tsid\tVALUE\nwww.example.com\tTRUE\t/shop\tTRUE\t0\tbasket\tVALUE',
        ['sid', 'basket'],
        /^The leading dot and the subdomain flag .* taken as host-only, .*: sid, basket\.$/,
      ],
      'an archive of the past': [
        har([
          entry(
            'https://www.example.com/',
            [
              'a=VALUE; Expires=Sun, 03 May 2026 13:00:00 GMT',
              'b=; Expires=Sun, 03 May 2026 11:00:00 GMT',
              'a=; Max-Age=0',
            ],
            { startedDateTime: '2026-05-03T12:00:00.000Z' },
          ),
        ]),
        ['a'],
        /^2 Set-Cookie lines delete a cookie; left out: b, a\.$/,
      ],
    }),
  )('lists what a browser holds: %s', (_what, [text, names, note]) => {
    const found = readScopes(text, { host: 'www.example.com', nowMs })
    if (typeof found === 'string') throw new Error(found)
    expect(found.scopes.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]))
    expect(found.scopes).toHaveLength(names.length)
    expect(found.notes).toEqual([expect.stringMatching(note)])
    expect(JSON.stringify(found)).not.toContain('VALUE')
  })

  // Formats that are read by lines have one view of them, whatever ends a line.
  it.each(['\r\n', '\r', '\u2028', '\u2029'])(
    'reads lines that end in %j as those that end in \\n',
    (end) => {
      for (const text of [
        'www.example.com\tFALSE\t/\tTRUE\t0\tsid\tVALUE\nnonsense\n.example.com\tTRUE\t/\tTRUE\t0\tb\tVALUE',
        'HTTP/1.1 200 OK\nDate: Sun, 03 May 2026 12:00:00 GMT\nSet-Cookie: a=VALUE; Domain=h.example\n\n',
        'sid\tVALUE\twww.example.com\t/\tSession\t8\nb\tVALUE\t.example.com\t/\tSession\t6',
      ]) {
        const found = readScopes(text.replaceAll('\n', end), { host: undefined, nowMs })
        expect(found).toEqual(readScopes(text, { host: undefined, nowMs }))
        expect(found).toHaveProperty('scopes')
      }
    },
  )

  // What takes time that is not linear in the size of the export does not end.
  it.each(['\r', '\u2028', '\t\u2028', 'a\tTRUE\r', ',a', ', ', ';,a=', '; '].map((part) => [part]))(
    'reads very many of %j',
    (part) => {
      const many = part.repeat(250_000)
      readScopes(many, { host: 'h.example', nowMs })
      readScopes(`a=VALUE${many}`, { host: 'h.example', nowMs })
      readScopes(har([entry('https://www.example.com/', [`a=VALUE${many}`])]), { host: undefined, nowMs })
      expect(() => readTypedCookies(many, 'h.example')).not.toThrow()
    },
  )

  it('does not read a truncated export as JSON', () => {
    expect(readScopes('{"log": {"entries": [{', { host: undefined, nowMs })).toMatch(
      /^this begins like JSON .*cut short/,
    )
  })

  it.each(['', 'hello', '{}', '{"log":', '[1]', '\u0000\u0001'])('names what it can’t read: %j', (text) => {
    expect(readScopes(text, { host: undefined, nowMs })).toMatch(/^this /)
  })

  it('never throws, whatever the export contains', () => {
    const json = fc.json().map((text) => `{"log":{"entries":[${text}]}}`)
    const line = fc.string({ unit: 'binary' }).map((text) => `Set-Cookie: ${text}`)
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), json, line),
        (text) => void readScopes(text, { host: 'h.example', nowMs }),
      ),
    )
  })
})
