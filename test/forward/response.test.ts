import { describe, expect, it } from 'vitest'
import { toDownstreamHead } from '../../src/forward/response.ts'

function fieldsOf(...fields: string[]): readonly string[] | undefined {
  return toDownstreamHead('GET', 200, fields)?.fields
}

const NOT_STORED = ['Cache-Control', 'private, no-store']

describe('what would take effect on the whole origin of the site', () => {
  it.each([
    'Alt-Svc',
    'Strict-Transport-Security',
    'Public-Key-Pins',
    'Clear-Site-Data',
    'NEL',
    'Report-To',
    'Reporting-Endpoints',
    'Expect-CT',
    'Service-Worker-Allowed',
    'Accept-CH',
    'Critical-CH',
    'Set-Login',
    'Use-As-Dictionary',
    'Secure-Session-Registration',
    'Origin-Agent-Cluster',
  ])('%s is removed, whatever its case', (name) => {
    const lines = [name, 'x', name.toLowerCase(), 'x', name.toUpperCase(), 'x']
    expect(fieldsOf('ETag', '"1"', ...lines, 'Set-Cookie', 'a=1')).toEqual([
      'ETag',
      '"1"',
      'Set-Cookie',
      'a=1',
      ...NOT_STORED,
    ])
  })
})

describe.each(['CDN-Cache-Control', 'surrogate-control'])(
  '%s speaks to caches past Cache-Control',
  (name) => {
    it.each([
      'no-store',
      'private',
      'Private, max-age=5',
      'max-age=0, NO-STORE',
      'private="Set-Cookie"',
      'public, private',
    ])('is removed where Cache-Control is %j, in any order', (value) => {
      expect(fieldsOf(name, 'max-age=60', 'Cache-Control', value)).toEqual(['Cache-Control', value])
      expect(fieldsOf('Cache-Control', value, name, 'max-age=60')).toEqual(['Cache-Control', value])
    })

    it('is removed where the proxy itself says that nothing is stored', () => {
      expect(fieldsOf(name, 'max-age=60')).toEqual(NOT_STORED)
      expect(fieldsOf('Connection', 'Cache-Control', 'Cache-Control', 'public', name, 'max-age=60')).toEqual(
        NOT_STORED,
      )
    })

    it('is removed where one of several Cache-Control lines forbids to store', () => {
      const lines = ['Cache-Control', 'max-age=5', 'cache-control', 'no-store']
      expect(fieldsOf(name, 'max-age=60', ...lines)).toEqual(lines)
    })

    it.each(['max-age=60', 'no-cache', 'public', 'x="private, no-store"', ''])(
      'stays where Cache-Control is %j',
      (value) => {
        const fields = ['Cache-Control', value, name, 'max-age=60']
        expect(fieldsOf(...fields)).toEqual(fields)
      },
    )
  },
)
