import { expect, it } from 'vitest'
import { get, openScene, receive } from './scene.ts'

it.each([
  ['in the same turn of the event loop', 0],
  ['in the next one', 1],
  ['as soon as the proxy has read the first', 2],
])('a second response to one request, sent %s, reaches nobody', async (_, turns) => {
  const scene = await openScene(
    (_request, socket) => {
      if (scene.seen() > 1) return void socket.write(ok('own'))
      socket.write(ok('own'))
      afterTurns(turns, () => socket.write(ok('second')))
    },
    { config: { limits: { upstreamConnections: 1 } } },
  )
  // The later ones wait for the connection, so it would be used again at once.
  const clients = [await scene.ask(get()), await scene.ask(get()), await scene.ask(get())]
  for (const client of clients) expect((await receive(client)).answer?.body).toBe('own')
  expect(scene.upstream.sockets).toHaveLength(2)
})

function ok(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** The service shares the event loop with the proxy, so what happens in which turn is always the same. */
function afterTurns(turns: number, act: () => void): void {
  if (turns === 0) act()
  else setImmediate(() => afterTurns(turns - 1, act))
}
