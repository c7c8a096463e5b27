import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { h2o as recipe } from '../../src/render/h2o.ts'
import { toSite } from '../../src/render/site.ts'

const PREFIX = '/service_cookie_transfer/'

describe('what is not rendered for h2o', () => {
  const reason = (config: Record<string, unknown>) => {
    const parsed = parseConfig(JSON.stringify(config), 'test.json')
    if ('problems' in parsed) throw new Error('no config')
    const made = toSite(parsed.config, { mode: 'route', form: 'parts', upstream: undefined, nameServers: [] })
    if ('problems' in made) throw new Error('no site')
    return recipe.reasonAgainst?.(made.site)
  }
  const listen = { trustedProxies: [] }

  it.each([
    [
      'a serve that believes its neighbours',
      { points: [`https://a.example${PREFIX}`] },
      /set listen.trustedProxies to \[\]/,
    ],
    [
      'a host on http and https',
      { points: [`https://a.example${PREFIX}`, `http://a.example${PREFIX}`], listen },
      /on http and on https/,
    ],
    [
      'a path with a control character',
      { points: [`https://a.example/%00${PREFIX}`], listen },
      /control characters/,
    ],
    [
      'nothing else',
      { points: [`https://a.example${PREFIX}`, `http://b.example${PREFIX}`], listen },
      undefined,
    ],
  ])('%s', (_what, config, expected) => {
    const seen = reason(config)
    if (expected === undefined) expect(seen).toBeUndefined()
    else expect(seen).toMatch(expected)
  })
})
