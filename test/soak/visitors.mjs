// Visitors of many kinds at once, each with a mark of their own: some behave, some attack, some give up. Every response is
// searched for marks: one with another visitor's mark reached the wrong visitor.
// Gets { port, directPort, seconds, marks, chosen, answersPost, slowUploads } and sends { strangers, complete, failures,
// attacks, waitsMs, directMs }: how long each complete request waited, and how long a GET to the service itself.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { takeAnswer } from './wire.mjs'

const ANSWER_WITHIN_MS = 30_000
const PAUSE_MS = 10
const SLOW_OCTET_MS = 1_000

process.once('message', async (task) => {
  process.send(await visit(task))
  process.disconnect()
})

async function visit({ port, directPort, seconds, marks, chosen, answersPost, slowUploads }) {
  const result = { strangers: 0, complete: 0, failures: {}, attacks: 0, waitsMs: [], directMs: [] }
  const endsAtMs = performance.now() + seconds * 1_000
  const unfinished = `GET ${PREFIX}${chosen} HTTP/1.1\r\nHost: attacker.example\r\nX-Swallow: `
  const withBody = (method, mark) =>
    head(method, mark, `Content-Length: ${unfinished.length}\r\n`) + unfinished

  /** A complete request, or several in one write: each has to be answered, in order, with its own mark. */
  const wellBehaved = (method, toOctets, statuses, pipelined = 1) => ({
    async visit(mark, client) {
      // Pipelined requests name different visitors, so that a swapped order shows.
      const asked = Array.from(
        { length: pipelined },
        (_, i) => marks[(marks.indexOf(mark) + i) % marks.length],
      )
      const askedAtMs = performance.now()
      const answers = await client.ask(
        asked.map((each) => toOctets(each)).join(''),
        asked.map(() => method),
      )
      result.waitsMs.push(performance.now() - askedAtMs)
      result.complete += pipelined
      for (const [i, each] of asked.entries()) {
        const answer = answers[i]
        judge(each, answer)
        const isWhole = method !== 'GET' || answer?.body.startsWith(`<${each}>`) === true
        if (statuses.includes(answer?.status) && isWhole) continue
        const what = `${method}${pipelined > 1 ? ' pipelined' : ''}: ${answer?.status ?? 'no answer'}`
        result.failures[what] = (result.failures[what] ?? 0) + 1
      }
    },
  })
  /** Whatever comes back is right, as long as it is not another visitor's. */
  const attack = (method, toOctets) => ({
    async visit(mark, client) {
      result.attacks += 1
      const [answer] = await client.ask(toOctets(mark), [method])
      judge(mark, answer)
      client.close()
    },
  })
  const giveUp = (toOctets, afterMs) => ({
    async visit(mark, client) {
      result.attacks += 1
      await client.write(toOctets(mark))
      await wait(afterMs)
      client.close()
    },
  })
  const direct = {
    port: directPort,
    async visit(mark, client) {
      const askedAtMs = performance.now()
      await client.ask(head('GET', mark), ['GET'])
      result.directMs.push(performance.now() - askedAtMs)
    },
  }
  const slowUpload = {
    async visit(mark, client) {
      result.attacks += 1
      await client.write(head('POST', mark, 'Content-Length: 1000000\r\n'))
      while (performance.now() < endsAtMs && client.isOpen()) {
        await client.write('x')
        await wait(SLOW_OCTET_MS)
      }
      client.close()
    },
  }
  const judge = (mark, answer) => {
    const found = answer === undefined ? [] : [...`${answer.head}${answer.body}`.matchAll(MARK)]
    if (found.some(([, name]) => name !== mark)) result.strangers += 1
  }

  const kinds = [
    [8, wellBehaved('GET', (mark) => head('GET', mark), [200])],
    [2, attack('GET', (mark) => head('GET', mark).repeat(5))],
    [2, wellBehaved('HEAD', (mark) => head('HEAD', mark), [200])],
    [
      4,
      wellBehaved(
        'POST',
        (mark) => head('POST', mark, 'Content-Length: 2000\r\n') + 'p'.repeat(2_000),
        answersPost,
      ),
    ],
    [1, wellBehaved('POST', (mark) => head('POST', mark, CHUNKED) + TINY, answersPost)],
    [1, attack('GET', (mark) => withBody('GET', mark))],
    [1, attack('HEAD', (mark) => withBody('HEAD', mark))],
    [1, attack('DELETE', (mark) => withBody('DELETE', mark))],
    [2, giveUp((mark) => head('GET', mark, `X-Large: ${'x'.repeat(30_000)}\r\n`), 0)],
    [1, giveUp((mark) => head('GET', mark), 5)],
    [1, giveUp((mark) => `${head('POST', mark, 'Content-Length: 4000\r\n')}half`, 5)],
    [1, giveUp((mark) => head('POST', mark, CHUNKED) + TINY.slice(0, 600), 5)],
    [2, direct],
    [slowUploads, slowUpload],
  ]
  let next = 0
  const run = async ({ visit: visitOnce, port: itsPort = port }) => {
    const mark = marks[next++ % marks.length]
    let client
    while (performance.now() < endsAtMs) {
      if (client?.isOpen() !== true) client = await openClient(itsPort)
      await visitOnce(mark, client)
      await wait(PAUSE_MS)
    }
    client?.close()
  }
  await Promise.all(kinds.flatMap(([count, kind]) => Array.from({ length: count }, () => run(kind))))
  return result
}

const PREFIX = '/service_cookie_transfer/'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const TINY = `${'1\r\nt\r\n'.repeat(2_000)}0\r\n\r\n`
/** Marks in a body, or in a cookie that comes back. */
const MARK = /(?:<|{|Set-Cookie: sid=)(visitor-\d+|chosen)\b/g

function head(method, mark, lines = '') {
  return `${method} ${PREFIX}${mark} HTTP/1.1\r\nHost: www.example.com\r\nCookie: sid=${mark}\r\n${lines}\r\n`
}

async function openClient(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let pending = ''
  let isOpen = true
  let wake = () => {}
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      isOpen = false
      wake()
    })
  }
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return {
    isOpen: () => isOpen,
    close: () => {
      isOpen = false
      socket.resetAndDestroy()
    },
    write: (octets) => new Promise((resolve) => socket.write(octets, 'latin1', resolve)),
    /** Writes requests and reads a response for each; fewer if the connection ends or one does not arrive in time. */
    ask: async (octets, methods) => {
      socket.write(octets, 'latin1')
      const answers = []
      const deadline = setTimeout(() => socket.destroy(), ANSWER_WITHIN_MS)
      while (answers.length < methods.length) {
        const answer = takeAnswer(pending, methods[answers.length])
        if (answer !== undefined) {
          pending = answer.rest
          answers.push(answer)
          if (/^connection: *close$/im.test(answer.head)) isOpen = false
        } else if (socket.readyState !== 'open' && socket.readyState !== 'writeOnly') break
        else
          await new Promise((resolve) => {
            wake = resolve
          })
        if (
          answer === undefined &&
          socket.readableEnded &&
          takeAnswer(pending, methods[answers.length]) === undefined
        )
          break
      }
      clearTimeout(deadline)
      return answers
    },
  }
}
