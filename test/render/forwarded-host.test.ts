import { describe, expect, it } from 'vitest'
import { frontEnds } from '../../src/render/front-ends.ts'
import { reasonAgainstConfig, renderConfig, renderParts } from './support/rendered.ts'

/*
 * serve finds the point, and its key, by X-Forwarded-Host of a trusted front end: a client's must never get through. What
 * real servers send on is in real-servers.test.ts, needed-lines.test.ts, routes.test.ts and varnish.test.ts.
 */

const config = {
  service: { url: 'https://service.example' },
  widgetKey: 'env:KEY',
  points: ['https://www.example.com/service_cookie_transfer/'],
}

const recipes = frontEnds.flatMap(({ name, without, parts }) =>
  (['route', 'forward'] as const)
    .filter((mode) => without?.[mode] === undefined)
    .flatMap((mode) => [
      { name, mode, form: 'whole', text: () => renderConfig(name, mode, config) },
      ...(parts === undefined
        ? []
        : [{ name, mode, form: 'parts', text: () => toText(renderParts(name, mode, config)) }]),
    ]),
)

describe.each(recipes)('$name, $mode, $form', ({ name, text }) => {
  it('removes or sets X-Forwarded-Host, and clears Forwarded', () => {
    if (name === 'h2o') {
      expect(reasonAgainstConfig(name, config)).toContain('set listen.trustedProxies to []')
      return
    }
    const lines = text()
      .split('\n')
      .filter((line) => !/^\s*(?:#|--|\/\/)/.test(line))
      .join('\n')
    expect(lines).toMatch(/x[-_]forwarded[-_]host/i)
    expect(lines).toMatch(/(?<!x[-_])\b(?:HTTP_)?forwarded\b/i)
  })
})

function toText(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join('\n')
}
