import { arrivesAsSent, arrivesWith } from './arrival-expectations.ts'
import { type Case, type MakeCase, must, should } from './case.ts'
import { returns, returnsResponse } from './response-expectations.ts'

/** Cookies in both directions: the purpose of continuation. */
export const cookieCases: readonly Case[] = [
  must('cookie/line', 'a Cookie line arrives as it was sent', {
    send: { fields: ['Cookie', 'sid=a%20b; theme="dark; x"; a==; b; c=1,2; sid=c'] },
    expect: [arrivesAsSent, arrivesWith('Cookie')],
  }),
  should('cookie/octets', 'bytes above 0x7F in a cookie arrive', {
    send: { fields: ['Cookie', 'name=J\u00f6rg'] },
    expect: [arrivesAsSent, arrivesWith('Cookie')],
  }),
  ...[4, 8, 16, 32].map((kibibytes) =>
    (kibibytes <= 8 ? must : should)(`cookie/${kibibytes}-kib`, `a Cookie line of ${kibibytes} KiB arrives`, {
      send: { fields: ['Cookie', `big=${'c'.repeat(kibibytes * 1024 - 4)}`] },
      expect: [arrivesAsSent, arrivesWith('Cookie')],
    }),
  ),
  setCookie(must, 'one', 'one line', ['sid=1; Path=/; HttpOnly; Secure; SameSite=Lax']),
  setCookie(must, 'several', 'several lines, in order and not joined', [
    'a=1; Path=/; HttpOnly',
    'b=2; Path=/checkout',
    'c=3; Expires=Fri, 31 Dec 2049 23:59:59 GMT',
    'a=4; Path=/checkout; Max-Age=60',
  ]),
  setCookie(must, 'domain', 'Domain and Path, not rewritten', [
    'a=1; Domain=service.example; Path=/service_cookie_transfer/',
    'b=2; Domain=.example.com; Path=/; Partitioned',
  ]),
  setCookie(should, 'strange', 'values that only browsers understand', [
    'a',
    '=b',
    'c="q; r"; path="/"',
    'd=J\u00f6rg',
  ]),
  setCookie(
    should,
    'many',
    '30 lines',
    Array.from({ length: 30 }, (_line, at) => `cookie${at}=${at}; Path=/; HttpOnly`),
  ),
  setCookie(
    should,
    '32-kib',
    '32 KiB',
    Array.from({ length: 8 }, (_line, at) => `cookie${at}=${'c'.repeat(4080)}; Path=/`),
  ),
  must('set-cookie/on-redirect', 'Set-Cookie comes back on a redirect too', {
    response: {
      status: 302,
      fields: ['Location', '/elsewhere', 'Set-Cookie', 'a=1; HttpOnly', 'Set-Cookie', 'b=2'],
    },
    expect: [returnsResponse, returns('Set-Cookie'), returns('Location')],
  }),
]

function setCookie(make: MakeCase, name: string, title: string, lines: readonly string[]): Case {
  return make(`set-cookie/${name}`, `Set-Cookie comes back: ${title}`, {
    response: { fields: lines.flatMap((line) => ['Set-Cookie', line]) },
    expect: [returnsResponse, returns('Set-Cookie')],
  })
}
