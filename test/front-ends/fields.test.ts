import { describe, expect, it } from 'vitest'
import {
  CACHE_OVERRIDES,
  CLIENT_ADDRESS,
  FRONT_END_ORDERS,
  HOP_BEFORE,
  ORIGIN_WIDE,
  OWNED,
} from '../../src/forward/field-rules.ts'
import { frontEnds } from '../../src/front-ends/index.ts'
import { renderConfig } from './support/rendered.ts'

/** A name as it may be spelt: itself, or as a pattern for every spelling. */
function mentions(text: string, name: string): boolean {
  const lowerText = text.toLowerCase()
  const lowerName = name.toLowerCase()
  return ['-', '[^a-z0-9]'].some((separator) => lowerText.includes(lowerName.replaceAll('-', separator)))
}

describe.each(frontEnds)('$name in forward mode', ({ name: frontEnd }) => {
  const render = (clientAddress: 'append' | 'omit') =>
    renderConfig(frontEnd, 'forward', {
      service: { url: 'https://service.example' },
      widgetKey: 'env:KEY',
      points: ['https://www.example.com/service_cookie_transfer/'],
      forward: { clientAddress },
    })

  it.each([...OWNED, ...HOP_BEFORE, ...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES])(
    'mentions %s',
    (name) => {
      const isRemovedAnyway = frontEnd === 'caddy' && name === 'Alt-Svc'
      expect(mentions(render('append'), name)).toBe(!isRemovedAnyway)
    },
  )

  it.each(CLIENT_ADDRESS)('removes %s if the client’s address is to be omitted', (name) => {
    expect(mentions(render('omit'), name)).toBe(true)
  })
})
