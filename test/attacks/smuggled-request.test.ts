/*
 * The body of a request is an unfinished request, and the service does not read bodies with that method. It takes the
 * body for the next request, which then lacks only what the next visitor sends on that connection.
 */

import { expect, it } from 'vitest'
import { startBodyBlindService, startPythonService } from './blind-services.ts'
import { OK, request, type Serve, startServe } from './serve.ts'

const VISITORS = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus', 'hal']
const COOKIE = 'Cookie: sid=secret-of-'

/** Lacks the end of its last field, so that whatever follows on the connection completes it. */
const UNFINISHED = `GET /service_cookie_transfer/chosen HTTP/1.1\r\nHost: attacker.example\r\nX-Swallow: `

const framings = {
  'a length': `Content-Length: ${UNFINISHED.length}\r\n\r\n${UNFINISHED}`,
  'a length that is never reached': `Content-Length: ${UNFINISHED.length + 100}\r\n\r\n${UNFINISHED}`,
  'chunks that never end': `Transfer-Encoding: chunked\r\n\r\n${UNFINISHED.length.toString(16)}\r\n${UNFINISHED}`,
}
type Framing = keyof typeof framings

const ignored = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PROPFIND']
const attacks: { method: string; framing: Framing }[] = [
  ...ignored.map((method) => ({ method, framing: 'a length' as const })),
  // These are still coming in when the answer is there, so the method does not matter.
  ...['GET', 'POST'].flatMap((method) => [
    { method, framing: 'a length that is never reached' as const },
    { method, framing: 'chunks that never end' as const },
  ]),
]

it.each(attacks)('$method with $framing, a service that ignores bodies', async ({ method, framing }) => {
  const service = await startBodyBlindService()
  const serve = await startServe(service.origin)
  await attack(serve, method, framing)
  // The service says whose request it answers: path and Cookie line as they arrived.
  expect(await visit(serve)).toEqual(
    [...VISITORS, ...VISITORS].map((name) => `GET /service_cookie_transfer/${name} ${COOKIE}${name}`),
  )
  expect(service.octets.filter(holdsAttackAndVisitor)).toEqual([])
})

it.each(attacks.filter(({ method }) => ['GET', 'HEAD', 'DELETE'].includes(method)))(
  '$method with $framing, python3 -m http.server',
  async ({ method, framing }) => {
    const service = await startPythonService(['attacker', 'chosen', ...VISITORS])
    const serve = await startServe(service.origin)
    await attack(serve, method, framing)
    expect(await visit(serve)).toEqual([...VISITORS, ...VISITORS].map((name) => `file of ${name}`))
    expect(service.octets.filter(holdsAttackAndVisitor)).toEqual([])
  },
)

/** Leaves an unfinished request behind. The response to the attacker does not matter. */
async function attack(serve: Serve, method: string, framing: Framing): Promise<void> {
  const attacker = await serve.ask(request(method, 'attacker', framings[framing]))
  await attacker.received('\r\n\r\n')
}

/** What each visitor reads, first one after the other, then all at once. */
async function visit(serve: Serve): Promise<string[]> {
  const ask = async (name: string) => {
    const visitor = await serve.ask(request('GET', name, `${COOKIE}${name}\r\n\r\n`))
    const { startLine, body } = await visitor.response()
    return startLine === OK ? body : startLine
  }
  const answers: string[] = []
  for (const name of VISITORS) answers.push(await ask(name))
  return [...answers, ...(await Promise.all(VISITORS.map(ask)))]
}

function holdsAttackAndVisitor(octets: string): boolean {
  return octets.includes('X-Swallow') && octets.includes(COOKIE)
}
