import { expect, it } from 'vitest'
import { runOffline, www } from './rule-table.ts'

it.each([
  ['url/cross-site', { points: [www] }, 'no pages are given'],
  ['url/cross-site', { points: [www], pages: ['nowhere'] }, 'no page has a URL that can be read'],
  ['page/no-point', { points: [www] }, 'no pages are given'],
  ['url/redundant', { points: [www], cookies: [{}] }, 'no pages are given'],
  ['cookie/mixed-parties', { cookies: [{}] }, 'no pages are given'],
  ['page/no-point', { points: [www], pages: ['nowhere'] }, 'because page/invalid failed'],
  ['url/prefix', { points: ['nowhere'] }, 'because url/invalid failed'],
  ['url/scheme-mismatch', { points: [www], pages: ['http://example.net'] }, 'because url/cross-site failed'],
  ['cookie/never-sent', { points: [www] }, 'the config lists no "cookies"'],
  ['cookie/never-sent', { points: [www], cookies: [{ name: '' }] }, 'no browser stores this cookie'],
  ['cookie/never-sent', { cookies: [{ sameSite: 'None', secure: false }] }, 'no browser stores this cookie'],
  ['service/same-host', { points: [www] }, 'no service is given'],
  ['service/back-transfer-domain', { service: 'https://a.example' }, 'backTransfer is off'],
] as const)(
  'a rule whose needs are not met is skipped, with the reason %s of %j: %s',
  (id, given, message) => {
    expect(runOffline(given).filter((finding) => finding.id === id)).toMatchObject([
      { outcome: 'skipped', message },
    ])
  },
)
