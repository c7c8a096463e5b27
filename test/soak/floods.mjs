// Floods of a client: connections with heads or trailers of tiny lines without end, bodies in tiny chunks, announced uploads
// of which nothing comes, and requests to which the service answers with tiny lines. Gets { port, uploads } from its parent, sends { uploads }
// once that many are announced, and answers 'state' with how many floods were cut.
import { connect } from 'node:net'

const LINES = 'ab:\r\n'.repeat(30_500)
const TO_POINT = 'service_cookie_transfer/'
const HOST = 'Host: www.example.com\r\n'
const FLOODS = [
  `GET /${TO_POINT}small HTTP/1.1\r\n${HOST}${LINES}`,
  `POST /${TO_POINT}sink HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${LINES}`,
  `GET /${TO_POINT}fault/lines HTTP/1.1\r\n${HOST}\r\n`,
  `POST /${TO_POINT}sink HTTP/1.1\r\n${HOST}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(30_500)}0\r\n\r\n`,
]
const AT_ONCE = 160
const PAUSE_MS = 250
let cut = 0

process.once('message', async ({ port, uploads }) => {
  for (let i = 0; i < uploads; i += 1) {
    await open(port, `POST /${TO_POINT}sink HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\n`)
  }
  process.send({ uploads })
  process.on('message', () => process.send({ cut }))
  for (let i = 0; i < AT_ONCE; i += 1) flood(port, FLOODS[i % FLOODS.length])
})
process.on('disconnect', () => process.exit())

function open(port, octets) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(octets)
      resolve(socket)
    })
    socket.on('error', () => resolve(socket))
    socket.resume()
  })
}

/** Floods, and again a moment after it was cut. */
async function flood(port, octets) {
  const socket = await open(port, octets)
  const again = () => {
    cut += 1
    setTimeout(() => flood(port, octets), PAUSE_MS)
  }
  if (socket.destroyed) again()
  else socket.once('close', again)
}
