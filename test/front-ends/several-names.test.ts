import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, openPartsStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { smallestSites } from './support/smallest-site.ts'
import { PREFIX } from './support/started-site.ts'

const KEYS = { WIDGET_KEY: 'the-key', OTHER_KEY: 'the-other-key' }

describe.each(servers.filter(({ name }) => name === 'apache' || name === 'caddy'))('$name', (server) => {
  describe.skipIf(skips(server)).each(['route', 'forward'] as const)(
    'a site with several names, %s',
    (mode) => {
      let stage: FrontEndStage

      beforeAll(async () => {
        stage = await openPartsStage(server, mode, {
          keys: KEYS,
          toPoints: (port) => [
            `http://example.com:${port}${PREFIX}`,
            { url: `http://www.example.com:${port}${PREFIX}`, widgetKey: 'OTHER_KEY' },
          ],
          toText: (lines, folder, port) => {
            const block = { host: 'example.com', port, scheme: 'http', lines } as const
            return addNames(smallestSites[server.name]?.([block], folder) ?? '')
          },
        })
      }, 30_000)
      afterAll(() => stage?.close())

      it.each([
        ['example.com', [['the-key']], true],
        ['www.example.com', [['the-other-key']], true],
        // A name without a point.
        ['other.example.com', [], false],
      ])('tells the service which name a call is for: %s', async (name, keys, hasPoint) => {
        const host = `${name}:${stage.port}`
        const lines = 'X-Widget-Key: forged\r\nX-Continuation-Origin: forged\r\n'
        const { answer, seen } = await stage.ask(PREFIX, { host, lines })
        expect(answer.startLine).toMatch(hasPoint ? / 200 / : / 4\d\d /)
        expect(seen.map((request) => valuesOf(request, 'x-widget-key'))).toEqual(keys)
        expect(seen.map((request) => valuesOf(request, 'x-continuation-origin'))).toEqual(
          hasPoint ? [[`http://${host}`]] : [],
        )
      })
    },
  )
})

/** Two more, one of them without a point. */
function addNames(text: string): string {
  return text
    .replace(
      'ServerName example.com',
      'ServerName example.com\n  ServerAlias www.example.com other.example.com',
    )
    .replace(
      /^http:\/\/example\.com(:\d+) \{/m,
      'http://example.com$1, http://www.example.com$1, http://other.example.com$1 {',
    )
}
