import { expect, it } from 'vitest'
import { get, openScene, PATH, receive } from './scene.ts'

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

it('a second response that comes too late to be noticed shifts few of the next ones, also without a pause', async () => {
  const answered: { readonly asked: string; readonly got: string | undefined }[] = []
  const scene = await openScene(
    ({ startLine }, socket) => {
      const [path = ''] = /n\d+/.exec(startLine) ?? []
      const respond = () => socket.write(ok(path))
      setTimeout(respond, 4)
      if (path === 'n20') setTimeout(respond, 6)
    },
    { config: { limits: { upstreamConnections: 1 } } },
  )
  // Three clients, so that the connection is used again as soon as it is free.
  let asked = 0
  const ask = async () => {
    while (asked < 800) {
      asked += 1
      const name = `n${asked}`
      const { answer } = await receive(await scene.ask(get().replace(PATH, PATH + name)))
      answered.push({ asked: name, got: answer?.body })
    }
  }
  await Promise.all([ask(), ask(), ask()])
  // One may be cut when its connection turns out to be shifted.
  const wrong = answered.filter(({ asked, got }) => got !== undefined && asked !== got)
  // Mostly after 256 at most; a machine that is busy may be late for a pause.
  expect(wrong.length).toBeLessThan(600)
  expect(answered.slice(-100).filter(({ asked, got }) => asked !== got)).toEqual([])
})

function ok(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** The service shares the event loop with the proxy, so what happens in which turn is always the same. */
function afterTurns(turns: number, act: () => void): void {
  if (turns === 0) act()
  else setImmediate(() => afterTurns(turns - 1, act))
}
