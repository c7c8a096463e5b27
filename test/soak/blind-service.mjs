// A service that is easy to confuse and says whose request it answers. It reads no body of GET, HEAD or DELETE, and takes
// what follows their heads for the next request; the body that it sends behind the head of a HEAD comes late, in front
// of whatever is answered next on that connection. Sends { port } once it listens.
import { createServer } from 'node:net'

const server = createServer((socket) => {
  let pending = ''
  let late = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    for (;;) {
      const begin = pending.search(/[A-Z]+ \S+ HTTP\/1\.1\r\n/)
      if (begin === -1) return
      const headEnd = pending.indexOf('\r\n\r\n', begin)
      if (headEnd === -1) return
      const head = pending.slice(begin, headEnd)
      const [, method, name] = /^(\S+) \S*\/(\S*)/.exec(head)
      const end = headEnd + 4 + (method === 'POST' ? bodyLength(head, pending.slice(headEnd + 4)) : 0)
      if (!(end <= pending.length)) return
      pending = pending.slice(end)
      const [, cookie = 'none'] = /^Cookie: sid=(.*)$/im.exec(head) ?? []
      const body = `<${name}> {${cookie}}`
      const answer = `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${cookie}\r\nContent-Length: ${body.length}\r\n\r\n`
      if (method === 'HEAD') {
        socket.write(late + answer)
        late = answer + body
      } else {
        socket.write(late + answer + body)
        late = ''
      }
    }
  })
})

/** Octets of a body on the wire; more than there are when it has not ended. */
function bodyLength(head, octets) {
  if (/^Transfer-Encoding: chunked$/im.test(head)) {
    const end = octets.search(/(?:^|\r\n)0\r\n\r\n/)
    return end === -1 ? Number.POSITIVE_INFINITY : octets.indexOf('0\r\n\r\n', end) + 5
  }
  return Number(/^Content-Length: (\d+)$/im.exec(head)?.[1] ?? 0)
}

process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', 8_192, () => process.send({ port: server.address().port }))
