import { expect, test } from 'vitest'
import { toDerivedSettings } from '../../src/config/derived-settings.ts'
import { parseConfig } from '../../src/config/parse.ts'

const derive = (config: object) => {
  const parsed = parseConfig(JSON.stringify(config), 'config.json')
  if ('problems' in parsed) throw new Error('the test writes a bad config')
  return toDerivedSettings(parsed.config)
}

test('both switches are on, the lists are as written, hints of the checker are left out', () => {
  const settings = derive({
    points: [
      'https://www.example.com/service_cookie_transfer/',
      { url: 'https://www.example.co.uk/shop/service_cookie_transfer/', widgetKey: 'env:KEY' },
    ],
    cookies: [
      { name: 'sid', domain: '.Example.com', path: '/', httponly: true, secure: true, sameSite: 'Lax' },
      { name: 'basket', domain: 'www.example.com', path: '/shop' },
    ],
    backTransfer: true,
  })
  expect(settings).toEqual({
    cookie_transfer_enabled: true,
    cookie_transfer_proxying: true,
    cookie_transfer_urls: [
      'https://www.example.com/service_cookie_transfer/',
      'https://www.example.co.uk/shop/service_cookie_transfer/',
    ],
    cookie_transfer_scopes: [
      { name: 'sid', domain: '.Example.com', path: '/', httponly: true },
      { name: 'basket', domain: 'www.example.com', path: '/shop', httponly: false },
    ],
    enable_cookie_backtransfer: true,
  })
})

test('an empty config transfers nothing back', () => {
  expect(derive({})).toMatchObject({ cookie_transfer_urls: [], enable_cookie_backtransfer: false })
})
