// A light upstream: it finds the end of a request and writes a prepared answer. Arguments: PORT [KEY CERT].
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

const [port, key, cert] = process.argv.slice(2)

const answer = (startLine, fields, body) =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${startLine}\r\n${fields.map((line) => `${line}\r\n`).join('')}Content-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ])
const json = [
  'Content-Type: application/json',
  'Cache-Control: no-store',
  'Date: Thu, 01 Jan 2026 00:00:00 GMT',
]
const small = answer('200 OK', json, Buffer.from('{"ok":true}'))
const redirect = answer(
  '302 Found',
  [
    ...json,
    'Location: /service_cookie_transfer/next',
    ...Array.from(
      { length: 6 },
      (_, i) => `Set-Cookie: cookie${i}=0123456789abcdef; Path=/; Secure; HttpOnly; SameSite=Lax`,
    ),
  ],
  Buffer.alloc(0),
)
const large = answer('200 OK', json, Buffer.alloc(1_048_576, 'x'))

function serve(socket) {
  let head = ''
  let bodyLeft = 0
  let reply = small
  let chunked = false
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const taken = Math.min(bodyLeft, chunk.length - at)
        bodyLeft -= taken
        at += taken
        if (bodyLeft === 0) socket.write(reply)
        continue
      }
      if (chunked) {
        // Peers with framing of their own: the last chunk ends the body.
        head = (head + chunk.toString('latin1', at)).slice(-7)
        at = chunk.length
        if (head.endsWith('0\r\n\r\n')) {
          chunked = false
          head = ''
          socket.write(reply)
        }
        continue
      }
      head += chunk.toString('latin1', at)
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const rest = head.length - end - 4
      at = chunk.length - rest
      const text = head.slice(0, end)
      head = ''
      reply = text.includes('/redirect') ? redirect : text.includes('/large') ? large : small
      bodyLeft = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
      chunked = /\r\ntransfer-encoding: chunked/i.test(text)
      if (bodyLeft === 0 && !chunked) socket.write(reply)
    }
  })
}

const server =
  key === undefined
    ? createServer(serve)
    : createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, serve)
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
