// Slow clients: some never end their head, some never end their body, some hardly read.
// Gets { port, heads, uploads, readers, stalled, octets } from its parent: `stalled` of the readers ask for that many
// octets, more than the kernel buffers, so that the proxy itself waits for them; the others request what the kernel holds.
// Sends { opened } once all are connected, and answers 'state' with how many are held and how many the proxy dropped.
import { connect } from 'node:net'

const DRIP_MS = 5_000
const KERNEL_OCTETS = 131_072
const sockets = new Set()
let lost = 0

process.once('message', async ({ port, heads, uploads, readers, stalled, octets }) => {
  for (let i = 0; i < heads; i += 1) await openOne(port, slowHead)
  for (let i = 0; i < uploads; i += 1) await openOne(port, slowBody)
  for (let i = 0; i < readers; i += 1) await openOne(port, slowReader, i < stalled ? octets : KERNEL_OCTETS)
  process.send({ opened: sockets.size })
  process.on('message', () => process.send({ held: sockets.size, lost }))
})
process.on('disconnect', () => process.exit())

function openOne(port, behave, octets) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      sockets.add(socket)
      behave(socket, octets)
      resolve()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (sockets.delete(socket)) lost += 1
      resolve()
    })
  })
}

function slowHead(socket) {
  socket.write('GET /service_cookie_transfer/small HTTP/1.1\r\nHost: www.example.com\r\nCookie: a=')
  drip(socket)
}

function slowBody(socket) {
  socket.write(
    'POST /service_cookie_transfer/sink HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 1000000\r\n\r\n',
  )
  drip(socket)
}

function slowReader(socket, octets) {
  socket.write(`GET /service_cookie_transfer/octets/${octets} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
  socket.on('data', () => {
    socket.pause()
    setTimeout(() => socket.resume(), DRIP_MS).unref()
  })
}

function drip(socket) {
  const timer = setInterval(() => socket.write('x'), DRIP_MS)
  socket.on('close', () => clearInterval(timer))
}
