// A light service for the soak run. What it does with a request is the first word of the path after the prefix:
//   small         200 and two octets
//   wait/MS       the same, MS later
//   octets/COUNT  200 and COUNT octets
//   sink          reads the body and says how many octets it had
//   sink/RATE     the same at RATE octets a millisecond
//   fault/KIND    breaks the exchange: reset, truncate, garbage, lines
// Talks to its parent: sends { port } once it listens, answers 'state' with what is in progress.
import { createServer } from 'node:http'
import { writeOctets } from './wire.mjs'

const state = { opened: 0, uploads: 0 }

const server = createServer(
  { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 5_000 },
  (incoming, outgoing) => {
    const [, , word, argument] = incoming.url.split('/')
    switch (word) {
      case 'wait':
        return setTimeout(() => answer(outgoing, 'ok'), Number(argument))
      case 'octets':
        return answerOctets(outgoing, Number(argument))
      case 'sink':
        return readBody(incoming, outgoing, Number(argument ?? Number.POSITIVE_INFINITY))
      case 'fault':
        return FAULTS[argument](outgoing)
      default:
        return answer(outgoing, 'ok')
    }
  },
)
server.maxRequestsPerSocket = 0
server.on('connection', () => {
  state.opened += 1
})
server.on('clientError', (_error, socket) => socket.destroy())
process.on('message', () => process.send(state))
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', 8_192, () => process.send({ port: server.address().port }))

const FAULTS = {
  reset: (outgoing) => outgoing.socket.resetAndDestroy(),
  truncate: (outgoing) => {
    outgoing.writeHead(200, { 'Content-Length': 1_000 })
    outgoing.write('x'.repeat(500), () => outgoing.destroy())
  },
  lines: (outgoing) => outgoing.socket.write(`HTTP/1.1 200 OK\r\n${'ab:\r\n'.repeat(30_500)}`),
  garbage: (outgoing) => outgoing.socket.end('\u0000not HTTP at all\r\n\r\n'),
}

function answer(outgoing, text) {
  outgoing.writeHead(200, {
    'Content-Type': 'text/plain',
    'Cache-Control': 'no-store',
    'Content-Length': text.length,
  })
  outgoing.end(text)
}

function answerOctets(outgoing, count) {
  outgoing.writeHead(200, { 'Content-Length': count })
  writeOctets(outgoing, count)
}

function readBody(incoming, outgoing, octetsPerMs) {
  let count = 0
  state.uploads += 1
  incoming.once('close', () => {
    state.uploads -= 1
  })
  incoming.on('error', () => {})
  incoming.on('data', (chunk) => {
    count += chunk.length
    if (octetsPerMs === Number.POSITIVE_INFINITY) return
    incoming.pause()
    setTimeout(() => incoming.resume(), chunk.length / octetsPerMs)
  })
  incoming.on('end', () => answer(outgoing, String(count)))
}
