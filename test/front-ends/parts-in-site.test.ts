import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOnce } from '../support/raw-client.ts'
import { statusOf } from '../support/stage.ts'
import { onlyValue, valuesOf } from '../support/wire.ts'
import { openTypicalStage } from './support/front-end-stage.ts'
import { serversInEachMode, skips } from './support/real-server.ts'
import { PREFIX } from './support/started-site.ts'
import { OTHER, SHOP } from './support/typical-site.ts'

describe.each(serversInEachMode)('$name, $mode', ({ server, mode }) => {
  describe.skipIf(skips(server))('a site that includes the parts', () => {
    let stage: Awaited<ReturnType<typeof openTypicalStage>>

    beforeAll(async () => {
      stage = await openTypicalStage(server, mode)
    }, 60_000)
    afterAll(() => stage?.close())

    it.each([SHOP, OTHER])('tells the service which of its two origins a call is for: %s', async (name) => {
      const host = `${name}:${stage.port}`
      const { status, seen } = await stage.ask(PREFIX, { host })
      expect(status).toBe(200)
      expect(seen.map((request) => valuesOf(request, 'x-continuation-origin'))).toEqual([[`https://${host}`]])
      expect(valuesOf(seen[0] ?? { fields: [] }, 'x-forwarded-for').at(0)).toMatch(/^127\.0\.0\.1\b/)
    })

    it('answers for its own pages as before', async () => {
      const page = await stage.ask('/shop/index')
      expect(page.answer.body).toContain('the basket')
      const missing = await stage.ask('/service_cookie_transferred/')
      expect([missing.status, page.seen, missing.seen]).toEqual([404, [], []])
      const octets = `GET ${PREFIX} HTTP/1.1\r\nHost: ${SHOP}\r\nConnection: close\r\n\r\n`
      const answer = await askOnce(stage.site.plainPort, octets)
      expect([301, 302, 308]).toContain(statusOf(answer))
      expect(onlyValue(answer.fields, 'location')).toMatch(/^https:\/\/localhost/)
    })
  })
})
