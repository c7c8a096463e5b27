import fc from 'fast-check'
import { expect, it } from 'vitest'
import { routes } from '../../../src/sandbox/rest/answer-rest.ts'
import { openStandIn } from '../support/stand-in.ts'

const { call } = await openStandIn({ seed: { agents: [{ agent_name: 'A', agent_email: 'a@example.com' }] } })

const route = fc.constantFrom(...routes)
const segment = fc.constantFrom('1', '0', '-1', 'all', 'x', '000-000-000', '%00', '..', "'")

/** A body whose names are mostly those of the route, and whose values are anything. */
const bodyOf = (names: readonly string[]) =>
  fc.oneof(
    fc.jsonValue(),
    fc.string(),
    names.length === 0
      ? fc.constant({})
      : fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), fc.jsonValue(), { maxKeys: 5 }),
  )

const request = route.chain(({ method, path, query = {}, body }) =>
  fc.record({
    what: fc
      .array(segment, { minLength: 2, maxLength: 2 })
      .map(
        ([first = '', second = '']) =>
          `${method} ${path.replace(/\{\w+\}/, first).replace(/\{\w+\}/, second)}`,
      ),
    query: fc.dictionary(fc.constantFrom('page', ...Object.keys(query)), fc.string(), { maxKeys: 4 }),
    body: bodyOf(Object.keys(body ?? {})),
  }),
)

it('answers whatever arrives, and names the field in every refusal', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ what, query, body }) => {
      const octets = typeof body === 'string' ? Buffer.from(body) : JSON.stringify(body)
      const { status, json } = await call(`${what}?${new URLSearchParams(query)}`, { body: octets })
      expect(status).toBeLessThan(500)
      if (status < 400) return
      const messages = Object.values<unknown>(json.errors).flat()
      expect(messages.length).toBeGreaterThan(0)
      expect(messages.every((message) => typeof message === 'string')).toBe(true)
    }),
    { numRuns: 400 },
  )
  expect((await call('GET /servers/')).status).toBe(200)
})
