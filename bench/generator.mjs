// A closed-loop generator: each connection sends a request and waits for the whole answer before the next. With `rate` in
// the load it is an open-loop one: requests are due at fixed times, and a latency counts from the time it was due.
// Arguments: PORT HOST LOAD-JSON SECONDS. Prints one JSON line.
import { connect } from 'node:net'

const [port, host, loadText, seconds] = process.argv.slice(2)
const load = JSON.parse(loadText)
const request = Buffer.concat([
  Buffer.from(
    `${load.method} /service_cookie_transfer/${load.path} HTTP/1.1\r\nHost: ${host}\r\n${load.fields.map((line) => `${line}\r\n`).join('')}${load.bodyBytes > 0 ? `Content-Length: ${load.bodyBytes}\r\n` : ''}\r\n`,
  ),
  Buffer.alloc(load.bodyBytes, 'x'),
])

const latenciesMs = []
let failures = 0
let stopped = false
let open = load.connections
/** Connections that wait for a request, and requests that wait for a connection. */
const idle = []
const overdue = []

function client() {
  const socket = connect(Number(port), '127.0.0.1')
  socket.setNoDelay(true)
  let startedAtMs = 0
  let head = ''
  let left = -1
  let isChunked = false
  const send = (dueAtMs = performance.now()) => {
    if (stopped) return socket.destroy()
    startedAtMs = dueAtMs
    head = ''
    left = -1
    isChunked = false
    socket.write(request)
  }
  const done = () => {
    latenciesMs.push(performance.now() - startedAtMs)
    next()
  }
  const next = () => {
    if (load.rate === undefined) send()
    else if (overdue.length > 0) send(overdue.shift())
    else idle.push(send)
  }
  socket.on('connect', next)
  socket.on('data', (chunk) => {
    if (left >= 0 && !isChunked) {
      left -= chunk.length
      if (left <= 0) done()
      return
    }
    head += chunk.toString('latin1')
    if (isChunked) {
      head = head.slice(-7)
      if (head.endsWith('0\r\n\r\n')) done()
      return
    }
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    if (!/^HTTP\/1\.1 (?:200|302)/.test(head)) failures += 1
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      isChunked = true
      if (head.endsWith('0\r\n\r\n')) done()
      return
    }
    left = Number(length) - (head.length - end - 4)
    if (left <= 0) done()
  })
  socket.on('error', () => {
    if (!stopped) failures += 1
  })
  socket.on('close', () => {
    if (stopped) {
      open -= 1
      if (open === 0) report()
      return
    }
    failures += 1
    setImmediate(client)
  })
}

for (let i = 0; i < load.connections; i += 1) client()
const startedAtMs = performance.now()
if (load.rate !== undefined) {
  let sent = 0
  const tick = () => {
    const now = performance.now()
    while (startedAtMs + (sent / load.rate) * 1_000 <= now) {
      const dueAtMs = startedAtMs + (sent / load.rate) * 1_000
      const send = idle.pop()
      if (send === undefined) overdue.push(dueAtMs)
      else send(dueAtMs)
      sent += 1
    }
    if (!stopped) setImmediate(tick)
  }
  tick()
}
setTimeout(() => {
  // Requests in progress are finished and counted: with large bodies they are a good part of a short run.
  stopped = true
  for (const send of idle) send()
  setTimeout(report, 10_000).unref()
}, Number(seconds) * 1000)

function report() {
  const elapsedSeconds = (performance.now() - startedAtMs) / 1000
  latenciesMs.sort((a, b) => a - b)
  const at = (share) =>
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0
  console.log(
    JSON.stringify({
      requests: latenciesMs.length,
      elapsedSeconds,
      failures,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    }),
  )
  process.exit(0)
}
