// What Hono's part of a request costs, without sockets: the same request given to the listener alone, to the app as
// `serve` runs it, and to the app through @hono/node-server's listener. Rounds are interleaved; the median counts.
import { mkdtempSync, rmSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { build } from 'rolldown'

const REQUESTS = 100_000
const ROUNDS = 7
const FIELDS = [
  ['Host', 'www.example.com'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'],
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Cookie', 'sid=0123456789abcdef; basket=1'],
]

const { createApp, toListener } = await importParts()
let begun = 0
const begin = () => {
  begun += 1
}
const app = createApp(begin, RESPONSE_ALREADY_SENT)
const ways = {
  'the listener alone': begin,
  'the app, as serve runs it': toListener(begin),
  "the app, through @hono/node-server's listener": getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  }),
}

const socket = new Socket()
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, listener] of Object.entries(ways)) {
    const microseconds = await measure(listener)
    // The first round warms up.
    if (round > 0) times[name].push(microseconds / REQUESTS)
  }
}
if (begun !== REQUESTS * (ROUNDS + 1) * Object.keys(ways).length) throw new Error('Not every request began')
const [base] = Object.values(times).map(median)
for (const [name, each] of Object.entries(times)) {
  console.log(`${name}: ${(median(each) - base).toFixed(2)} µs of CPU a request on top`)
}

/** The two functions by themselves: what is built for users shows neither of them. */
async function importParts() {
  const folder = mkdtempSync(join(tmpdir(), 'hono-part-'))
  try {
    await build({
      input: { app: join(import.meta.dirname, '../src/proxy/app.ts') },
      platform: 'node',
      output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    })
    return await import(join(folder, 'app.mjs'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** CPU time for all requests, their garbage included. */
async function measure(listener) {
  const before = process.cpuUsage()
  for (let i = 0; i < REQUESTS; i += 1) {
    const incoming = new IncomingMessage(socket)
    incoming.method = 'GET'
    incoming.url = '/service_cookie_transfer/init'
    // As Node's parser gives them, so that `headers` can be made of them.
    incoming._addHeaderLines(FIELDS.flat(), 2 * FIELDS.length)
    const outgoing = new ServerResponse(incoming)
    listener(incoming, outgoing)
    if (i % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
