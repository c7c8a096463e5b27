import { describe, expect, it } from 'vitest'
import { type Check, inspectRequest, verify } from '../../../src/sandbox/continuation/verification.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'

const ORIGIN = 'https://www.example.com'
const URLS = [
  'https://WWW.Example.com:443/service_cookie_transfer/',
  'https://other.example/service_cookie_transfer/',
  'no url',
]
const account = demoAccount({ cookie_transfer_urls: URLS })

const origin = (value: string) => ['X-Continuation-Origin', value]
const key = (value: string) => ['x-widget-key', value]

describe('what the service can see in a request', () => {
  it('passes all four checks when both fields are right', () => {
    expect(failedOf(verify([...origin(ORIGIN), ...key('demo-widget-key')], account))).toEqual([])
  })

  it('fails all four when neither field arrived, and says that the request came directly', () => {
    const checks = verify(['Host', 'localhost'], account)
    expect(failedOf(checks)).toEqual(['forwarded', 'origin', 'widget-key', 'allowed'])
    expect(description(checks, 'forwarded')).toContain('came to the service directly')
  })

  it.each([
    ['missing', [], 'X-Continuation-Origin did not arrive.'],
    ['twice', [...origin(ORIGIN), ...origin(ORIGIN)], `arrived 2 times: "${ORIGIN}", "${ORIGIN}"`],
    ['a trailing slash', origin(`${ORIGIN}/`), `as an origin it is written "${ORIGIN}"`],
    ['upper case', origin('https://WWW.example.com'), `as an origin it is written "${ORIGIN}"`],
    ['a host alone', origin('www.example.com'), 'is not the origin of a site'],
    ['another scheme', origin('ftp://www.example.com'), 'is not the origin of a site'],
    ['empty', origin(''), 'X-Continuation-Origin is "", which is not the origin'],
  ])('origin fails: %s', (_name, fields, text) => {
    const checks = verify([...fields, ...key('demo-widget-key')], account)
    expect(failedOf(checks)).toEqual(['origin', 'allowed'])
    expect(description(checks, 'origin')).toContain(text)
    expect(description(checks, 'allowed')).toMatch(/^It needs a correct X-Continuation-Origin/)
  })

  it.each([
    ['missing', [], 'X-Widget-Key did not arrive.'],
    ['empty', key(''), 'X-Widget-Key arrived empty.'],
    ['twice', [...key('demo-widget-key'), ...key('demo-widget-key')], 'X-Widget-Key arrived 2 times.'],
    ['unknown', key('another-widget-key'), 'knows no widget key "anot…" (18 characters)'],
    ['another case', key('Demo-Widget-Key'), 'knows no widget key "Demo…" (15 characters)'],
  ])('widget-key fails: %s', (_name, fields, text) => {
    const checks = verify([...origin(ORIGIN), ...fields], account)
    expect(failedOf(checks)).toEqual(['widget-key', 'allowed'])
    expect(description(checks, 'widget-key')).toContain(text)
  })

  it.each([
    ['transfer off', { cookie_transfer_enabled: false }, 'cookie_transfer_enabled is off'],
    ['proxying off', { cookie_transfer_proxying: false }, 'cookie_transfer_proxying is off'],
    [
      'no URL of the origin',
      { cookie_transfer_urls: [`http${ORIGIN.slice(5)}/service_cookie_transfer/`] },
      `the origin "${ORIGIN}"`,
    ],
  ])('allowed fails: %s', (_name, settings, text) => {
    const strict = demoAccount({ cookie_transfer_urls: URLS, ...settings })
    const checks = verify([...origin(ORIGIN), ...key('demo-widget-key')], strict)
    expect(failedOf(checks)).toEqual(['allowed'])
    expect(description(checks, 'allowed')).toContain(text)
  })

  it('shows only the beginning of a very long value', () => {
    const checks = verify([...origin('x'.repeat(50_000)), ...key('demo-widget-key')], account)
    expect(description(checks, 'origin')).toContain('(50000 characters)')
    expect(description(checks, 'origin').length).toBeLessThan(400)
  })

  it('shows the listed URLs only with the right key', () => {
    const listed = (fields: readonly string[]) =>
      inspectRequest({ method: 'GET', target: '/', fields, body: { octets: 0, sha256: '' } }, account)
        .listedUrls
    expect(listed([...origin(ORIGIN), ...key('demo-widget-key')])).toEqual([
      `${ORIGIN}/service_cookie_transfer/`,
    ])
    expect(listed([...origin(ORIGIN), ...key('guessed')])).toEqual([])
    expect(listed(key('demo-widget-key'))).toEqual([])
  })
})

function failedOf(checks: readonly Check[]): readonly string[] {
  return checks.filter(({ outcome }) => outcome === 'fail').map(({ check }) => check)
}

function description(checks: readonly Check[], check: Check['check']): string {
  return checks.find((candidate) => candidate.check === check)?.description ?? ''
}
