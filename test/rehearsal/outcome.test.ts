import { expect, it } from 'vitest'
import { draftConfig } from '../../src/rehearsal/outcome.ts'
import { configOf } from '../support/config-of.ts'

it('a config that is written keeps what the old one lists, and its points', () => {
  const site = 'http://www.example.com/'
  const cookies = [{ name: 'acct', domain: 'www.example.com', path: '/account', httponly: true }]
  const points = ['account/', ''].map((path) => `${site}${path}service_cookie_transfer/`)
  const config = { ...configOf({ points, pages: [site], cookies }), hasRestKey: false }
  const { made } = draftConfig([site], config, { pages: new Map([[site, '1']]), cookies: [], answers: [] })
  expect(made).toMatchObject({ scopes: cookies, points, notes: [] })
})
