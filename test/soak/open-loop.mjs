// An open-loop generator: requests are due at fixed times, whether earlier ones were answered or not, and a latency
// counts from the time at which its request was due. Gets one task from its parent and sends back the outcome.
// Task: { port, rate, seconds, requests: [{ method, path, bodyBytes, port, expect, share }] }; `expect` is a status,
// `broken` for an answer that must not look complete, `abort` for a request that this client gives up half-way. A
// request with a port of its own goes there, and its latency counts as `direct`.
import { Agent, request as open } from 'node:http'

process.once('message', async (task) => {
  process.send(await generate(task))
  process.disconnect()
})

function generate({ port, rate, seconds, requests }) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY })
  const deck = deal(requests)
  const total = Math.round(rate * seconds)
  const latenciesMs = {}
  const failures = {}
  const startedAtMs = performance.now()
  let sent = 0
  let open = 0
  return new Promise((resolve) => {
    const tick = () => {
      const due = Math.min(total, 1 + Math.floor(((performance.now() - startedAtMs) / 1_000) * rate))
      while (sent < due) {
        const card = deck[sent % deck.length]
        const dueAtMs = startedAtMs + (sent / rate) * 1_000
        sent += 1
        open += 1
        send({ port, ...card }, agent, (outcome) => {
          open -= 1
          if (outcome === card.expect || outcome === 503) {
            const name = card.port === undefined ? outcome : 'direct'
            latenciesMs[name] ??= []
            latenciesMs[name].push(performance.now() - dueAtMs)
          } else {
            const what = `${card.method} ${card.path}: ${outcome}`
            failures[what] = (failures[what] ?? 0) + 1
          }
        })
      }
      if (sent < total || open > 0) return void setTimeout(tick, 1)
      agent.destroy()
      const elapsedSeconds = (performance.now() - startedAtMs) / 1_000
      resolve({ sent, elapsedSeconds, failures, outcomes: summarise(latenciesMs) })
    }
    tick()
  })
}

/** Calls back once: with a status, `broken`, `refused` (no answer at all) or `abort`. */
function send({ port, method, path, bodyBytes = 0, expect }, agent, done) {
  let outcome
  const settle = (value) => {
    if (outcome !== undefined) return
    outcome = value
    clearTimeout(deadline)
    done(value)
  }
  const request = open({
    port,
    host: '127.0.0.1',
    agent,
    method,
    path: `/service_cookie_transfer/${path}`,
    headers: {
      Host: 'www.example.com',
      Cookie: 'sid=0123456789abcdef0123456789abcdef; basket=a%20b%20c',
      ...(bodyBytes > 0 ? { 'Content-Length': bodyBytes } : {}),
    },
  })
  const deadline = setTimeout(() => {
    settle('no answer in 30 s')
    request.destroy()
  }, 30_000)
  request.on('error', () => settle('refused'))
  request.on('response', (response) => {
    response.on('error', () => settle('broken'))
    response.on('data', () => expect === 'abort' && giveUp())
    response.on('end', () => settle(response.statusCode))
    response.on('close', () => settle('broken'))
  })
  const giveUp = () => {
    settle('abort')
    request.destroy()
  }
  // Half of those that give up do so in the upload, the others in the answer.
  if (expect === 'abort' && bodyBytes > 0) request.write(Buffer.alloc(bodyBytes / 2, 'b'), giveUp)
  else request.end(Buffer.alloc(bodyBytes, 'b'))
}

/** Spreads the requests evenly by their shares, out of a thousand. */
function deal(requests) {
  const deck = []
  const debts = requests.map(() => 0)
  for (let i = 0; i < 1_000; i += 1) {
    requests.forEach(({ share }, at) => {
      debts[at] += share
    })
    const next = debts.indexOf(Math.max(...debts))
    debts[next] -= 1
    deck.push(requests[next])
  }
  return deck
}

function summarise(latenciesMs) {
  return Object.fromEntries(
    Object.entries(latenciesMs).map(([outcome, values]) => {
      values.sort((a, b) => a - b)
      const at = (share) => values[Math.min(values.length - 1, Math.floor(values.length * share))]
      return [outcome, { count: values.length, p50Ms: at(0.5), p99Ms: at(0.99) }]
    }),
  )
}
