import { describe, expect, it } from 'vitest'
import { frontEnds } from '../../src/front-ends/index.ts'
import { reasonAgainstConfig, renderConfig } from './support/rendered.ts'

/*
 * serve finds the point, and its key, by X-Forwarded-Host of a trusted front end: a client's must never get through. What
 * real servers send on is in real-servers.test.ts, needed-lines.test.ts, routes.test.ts and varnish.test.ts.
 */

const config = {
  service: { url: 'https://service.example' },
  widgetKey: 'env:KEY',
  points: ['https://www.example.com/service_cookie_transfer/'],
}

const recipes = frontEnds.flatMap(({ name, without }) =>
  (['route', 'forward'] as const)
    .filter((mode) => without?.[mode] === undefined)
    .map((mode) => ({ name, mode })),
)

describe.each(recipes)('$name, $mode', ({ name, mode }) => {
  it('removes or sets X-Forwarded-Host and clears Forwarded, or wants a serve that believes neither', () => {
    if (reasonAgainstConfig(name, config)?.includes('set listen.trustedProxies to []')) return
    const lines = renderConfig(name, mode, config)
      .split('\n')
      .filter((line) => !/^\s*(?:#|--|\/\/)/.test(line))
      .join('\n')
    const message = 'remove it, or let reasonAgainst of the front end say: set listen.trustedProxies to []'
    expect(lines, message).toMatch(/x[-_]forwarded[-_]host/i)
    expect(lines, message).toMatch(/(?<!x[-_])\b(?:HTTP_)?forwarded\b/i)
  })
})
