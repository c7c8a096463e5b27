import { describe, expect, it } from 'vitest'
import { demoAccount, isPageOrigin, listedUrls } from '../../../src/sandbox/state/account.ts'

const account = demoAccount({
  cookie_transfer_urls: [
    'https://WWW.Example.com:443/service_cookie_transfer/',
    'https://www.example.com/shop/service_cookie_transfer/',
    'http://www.example.com/service_cookie_transfer/',
    'no url',
  ],
})

describe('the demo account', () => {
  it('has cookie transfer and proxying on unless told otherwise', () => {
    expect(demoAccount()).toEqual({
      widgetKey: 'demo-widget-key',
      apiKey: 'demo-api-key',
      settings: {
        cookie_transfer_enabled: true,
        cookie_transfer_proxying: true,
        cookie_transfer_urls: [],
        cookie_transfer_scopes: [],
        enable_cookie_backtransfer: false,
      },
    })
    expect(demoAccount({ cookie_transfer_proxying: false }).settings.cookie_transfer_proxying).toBe(false)
  })

  it('lists the URLs of one origin in canonical form', () => {
    expect(listedUrls(account, 'https://www.example.com')).toEqual([
      'https://www.example.com/service_cookie_transfer/',
      'https://www.example.com/shop/service_cookie_transfer/',
    ])
    expect(listedUrls(account, 'https://example.com')).toEqual([])
  })

  it.each([
    ['https://www.example.com', true],
    ['http://www.example.com', true],
    ['https://example.com', false],
    ['null', false],
  ])('page origin %s: %s', (origin, expected) => {
    expect(isPageOrigin(account, origin)).toBe(expected)
  })
})
