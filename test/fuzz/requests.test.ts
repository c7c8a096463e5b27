import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { openStage, statusOf } from '../support/stage.ts'
import { WIDGET_KEY } from '../support/start-proxy.ts'
import { turns } from '../support/until.ts'
import { valuesOf } from '../support/wire.ts'
import { effort, TIMEOUT_MS } from './effort.ts'
import { KEPT_REQUESTS } from './kept-rows.ts'
import { toPieces } from './pieces.ts'
import { anyRequest, toOctets } from './request-arbitrary.ts'
import { expected, type FuzzRequest } from './request-model.ts'

const stage = await openStage({ listen: { trustedProxies: [] } })
afterAll(() => stage.close())

// First: a property that runs out of time leaves a case running.
it.each(KEPT_REQUESTS)('kept: $name', ({ request }) => agreesWithModel(request, []))

it(
  'a request is refused or forwarded as a model of the contract says',
  () =>
    fc.assert(
      fc.asyncProperty(
        anyRequest(),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
        agreesWithModel,
      ),
      effort(400),
    ),
  TIMEOUT_MS,
)

async function agreesWithModel(request: FuzzRequest, cuts: readonly number[]): Promise<void> {
  const { upstream, proxy } = stage
  const before = upstream.requests.length
  const client = await openClient(proxy.port)
  try {
    client.socket.setNoDelay(true)
    for (const piece of toPieces(toOctets(request), cuts)) {
      client.write(piece)
      await turns(1)
    }
    const answer = await client.response(request.method)
    const model = expected(request)
    const seen = upstream.requests.slice(before)
    if (model.kind === 'refused') {
      expect(model.statuses).toContain(statusOf(answer))
      expect(seen).toEqual([])
      return
    }
    expect(answer.startLine).toBe('HTTP/1.1 200 OK')
    expect(seen).toHaveLength(1)
    const [forwarded] = seen
    if (forwarded === undefined) return
    expect(forwarded.startLine).toBe(`${request.method} ${model.target} HTTP/1.1`)
    expect(forwarded.body).toBe(model.body)
    expect(valuesOf(forwarded, 'host')).toEqual([upstream.authority])
    const isOurs = (name: string) => /^(?:host|connection|content-length|transfer-encoding)$/i.test(name)
    expect(forwarded.fields.filter(([name]) => !isOurs(name))).toEqual([
      ...model.fields,
      ['X-Widget-Key', WIDGET_KEY],
      ['X-Continuation-Origin', 'http://www.example.com'],
      ['X-Forwarded-For', '127.0.0.1'],
      ['Via', '1.1 continuation-point'],
    ])
  } finally {
    client.close()
  }
}
