// `npm run soak -- [--minutes N]`: `serve` with default limits, for a long time, in front of services that are easily confused, beside attackers and
// floods, directly and behind nginx as `render` writes it. Ends with 0 if every line of its table says "pass". Linux only.
import { fork, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const SELF = fileURLToPath(import.meta.url)
const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const PREFIX = '/service_cookie_transfer/'
const MARKS = Array.from({ length: 256 }, (_, i) => `visitor-${i}`)
/** What a smuggled request would ask for. */
const CHOSEN = 'chosen'
const LARGE_OCTETS = 8 * 1_048_576
const ROUNDS = 3
const NGINX = '/usr/sbin/nginx'

/** `blind` is a model that reports nothing, reads no body but that of a POST, and is late with what it should never send. */
const STATUS_OF_POST = { blind: 200, nginx: 405 }

/** Where `floods` is set, honest requests without a front end may be refused with 503, and only so. */
const STAGES = [
  { service: 'blind' },
  { service: 'nginx' },
  { service: 'blind', floods: true },
  { service: 'blind', floods: true, behind: 'nginx' },
]

const ROLES = { service: serveBlindly, visitors: visit, floods: flood, probe: answerProbes }
async function main() {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } })
  const seconds = (Number(values.minutes) * 60) / (STAGES.length * ROUNDS)
  if (!(seconds > 0)) throw new Error('--minutes takes a number above 0')
  const failed = []
  for (const stage of STAGES) {
    const name = `${stage.service}${stage.floods ? ', floods' : ''}${stage.behind ? ', behind nginx' : ''}`
    for (const [what, figure, holds] of await run(stage, seconds)) {
      console.log(`${holds ? 'pass' : 'FAIL'}  ${name}: ${what}: ${figure}`)
      if (!holds) failed.push(`${name}: ${what}`)
    }
  }
  console.log(failed.length === 0 ? 'pass' : `FAIL: ${failed.join('; ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs one stage; returns rows of what was measured, the figure, and whether it holds. */
async function run({ service: name, floods, behind }, seconds) {
  if ([name, behind].includes('nginx') && !existsSync(NGINX))
    return [['skipped', `${NGINX} is missing`, process.env.CI === undefined]]
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  // Servers that were started as root read it as somebody else.
  chmodSync(folder, 0o755)
  const started = []
  try {
    const service = await startService(name, folder)
    started.push(service)
    const program = await startProgram(service.port, folder)
    started.push(program)
    const front = behind === undefined ? program : await startFrontEnd(program.port, folder)
    if (behind !== undefined) started.push(front)
    const flooding = floods && peer('floods')
    if (flooding) {
      started.push(flooding)
      await flooding.ask({ port: front.port })
    }
    const total = { strangers: 0, complete: 0, refused: 0, attacks: 0, failures: {} }
    const quiet = []
    let peak = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const visitors = peer('visitors')
      const timer = setInterval(() => (peak = Math.max(peak, residentMebibytes(program.pid))), 100)
      const result = await visitors.ask({
        port: front.port,
        seconds,
        statusOfPost: STATUS_OF_POST[name],
      })
      clearInterval(timer)
      await visitors.stop()
      for (const key of ['strangers', 'complete', 'refused', 'attacks']) total[key] += result[key]
      for (const [what, count] of Object.entries(result.failures))
        total.failures[what] = (total.failures[what] ?? 0) + count
      if (!floods) quiet.push(await sampleWhenQuiet(program))
    }
    const cut = flooding ? (await flooding.ask('state')).cut : 0
    if (flooding) await flooding.stop()
    program.child.kill('SIGTERM')
    const code = await program.ended
    const [, warm] = quiet
    const last = quiet.at(-1)
    return [
      [
        'responses of another visitor',
        `${total.strangers} beside ${total.attacks} attacks`,
        total.strangers === 0,
      ],
      [
        'complete requests',
        `${total.complete}, ${total.refused} refused, failed: ${JSON.stringify(total.failures)}`,
        total.complete > 0 &&
          Object.keys(total.failures).length === 0 &&
          (total.refused === 0 || (floods && !behind)),
      ],
      ['resident memory', `${peak.toFixed(0)} MiB of 250`, peak > 0 && peak <= 250],
      ...(floods ? [['floods that were cut', cut, cut > 0 || behind !== undefined]] : []),
      ...(warm === undefined
        ? []
        : [
            [
              'heap when quiet',
              `${quiet.map(({ heap }) => heap.toFixed(1)).join(' ')} MiB`,
              last.heap - warm.heap <= 4,
            ],
            [
              'open files when quiet',
              quiet.map(({ files }) => files).join(' '),
              last.files - warm.files <= 4,
            ],
          ]),
      ['the exit after SIGTERM', code, code === 0 || (floods === true && code === 1)],
    ]
  } finally {
    await Promise.all(started.reverse().map(({ stop }) => stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Connections to the service close after 30 s without use, or sooner; the proxy is quiet when no exchange is in flight. */
async function sampleWhenQuiet(program) {
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${program.adminPort}/metrics`)).text()
    if (/^http_server_active_requests 0$/m.test(metrics)) break
    await wait(50)
  }
  const { heapBytes } = await program.ask('sample')
  const sockets = readdirSync(`/proc/${program.pid}/fd`).length
  return { heap: heapBytes / 1_048_576, files: sockets - connectionsTo(program.servicePort) }
}

function connectionsTo(port) {
  const remote = `: \\S+ 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 01 `
  return readFileSync('/proc/net/tcp', 'latin1').match(new RegExp(remote, 'g'))?.length ?? 0
}

function residentMebibytes(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
}

// Processes

function peer(role) {
  const child = fork(SELF, [], {
    env: { ...process.env, SOAK_ROLE: role },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return withMessages(child)
}

function withMessages(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const next = () =>
    new Promise((resolve, reject) => {
      const onEnd = (code) => reject(new Error(`A process ended early with ${code}`))
      child.once('exit', onEnd)
      child.once('message', (message) => {
        child.off('exit', onEnd)
        resolve(message)
      })
    })
  const ask = (message) => {
    const answer = next()
    child.send(message)
    return answer
  }
  return { child, pid: child.pid, next, ask, ended, stop: () => stop(child, ended) }
}

/** Ends the whole group where the child leads one: a server's workers may outlive their parent. */
async function stop(child, ended) {
  if (child.connected) child.disconnect()
  try {
    process.kill(
      child.spawnargs.includes(SELF) || child.detachedGroup !== true ? child.pid : -child.pid,
      'SIGKILL',
    )
  } catch ({ code }) {
    if (code !== 'ESRCH') throw new Error(`A process can't be ended: ${code}`)
  }
  await ended
}

async function startProgram(servicePort, folder) {
  const file = join(folder, 'config.json')
  const config = {
    service: { url: `http://127.0.0.1:${servicePort}` },
    widgetKey: 'soak-widget-key',
    points: [`http://www.example.com${PREFIX}`],
    listen: { port: 0 },
    admin: { port: 0 },
    log: { access: false },
  }
  writeFileSync(file, JSON.stringify(config))
  const flags = ['--max-old-space-size=128', '--expose-gc', '--import', pathToFileURL(SELF).href]
  const env = { ...process.env, SOAK_ROLE: 'probe' }
  const words = [...flags, PROGRAM, 'serve', '--config', file]
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const ports = {}
  await new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', () => reject(new Error(`serve did not start: ${text}`)))
    child.stdout.on('data', (chunk) => {
      if (ports.admin !== undefined && ports.public !== undefined) return
      text += chunk
      for (const [, listener, port] of text.matchAll(/"listener":"(\w+)","url":"http:\/\/[^"]+:(\d+)"/g))
        ports[listener] = Number(port)
      if (ports.admin !== undefined && ports.public !== undefined) resolve()
    })
  })
  return { ...withMessages(child), port: ports.public, adminPort: ports.admin, servicePort }
}

/** nginx with the lines that `render` writes for the config in the folder. */
async function startFrontEnd(upstreamPort, folder) {
  const words = [
    'render',
    'nginx',
    '--config',
    join(folder, 'config.json'),
    '--upstream',
    `127.0.0.1:${upstreamPort}`,
    '--output',
    folder,
  ]
  const rendered = spawn(process.execPath, [PROGRAM, ...words], { stdio: 'ignore' })
  if ((await new Promise((resolve) => rendered.once('exit', resolve))) !== 0) throw new Error('render failed')
  const port = await freePort()
  const site = `include ${folder}/conf.d/*.conf;
  server { listen 127.0.0.1:${port}; server_name www.example.com; include ${folder}/snippets/continuation-point-locations.conf; }`
  return startNginx(port, folder, writeNginx(folder, 'front.conf', site))
}

async function startService(name, folder) {
  if (name === 'blind') {
    const service = peer('service')
    return { ...service, port: (await service.next()).port }
  }
  const files = join(folder, 'root', PREFIX)
  mkdirSync(files, { recursive: true })
  for (const mark of [...MARKS, CHOSEN]) writeFileSync(join(files, mark), `<${mark}>`)
  const port = await freePort()
  const site = `server { listen 127.0.0.1:${port}; root ${folder}/root; }`
  return startNginx(port, folder, writeNginx(folder, 'service.conf', site))
}

function writeNginx(folder, name, site) {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/temp;`,
  )
  const file = join(folder, name)
  writeFileSync(
    file,
    `daemon off; pid ${file}.pid; error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off; keepalive_timeout 60s; keepalive_requests 1000000; ${paths.join(' ')}
  ${site}
}
`,
  )
  return file
}

async function startNginx(port, folder, file) {
  const words = ['-p', folder, '-c', file, '-e', 'stderr']
  const child = spawn(NGINX, words, { cwd: folder, stdio: 'ignore', detached: true })
  child.detachedGroup = true
  const ended = new Promise((resolve) => child.once('exit', resolve))
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    await wait(20)
  }
  return { port, stop: () => stop(child, ended) }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Loaded into the program with --import, so that the product needs no code for it. */
function answerProbes() {
  process.on('message', () => {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    process.send({ heapBytes: heapUsed + external })
  })
  process.channel.unref()
}

/**
 * Says whose request it answers. It takes what follows the head of a GET, HEAD or DELETE for the next request, and sends
 * the body of a HEAD late, in front of whatever it answers next on that connection.
 */
function serveBlindly() {
  const server = createServer((socket) => {
    let pending = ''
    let late = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      for (;;) {
        const request = /([A-Z]+) \S*\/(\S*) HTTP\/1\.1\r\n[\s\S]*?\r\n\r\n/.exec(pending)
        if (request === null) return
        const [head, method, name] = request
        const rest = pending.slice(request.index + head.length)
        const length = method === 'POST' ? bodyLength(head, rest) : 0
        if (!(length <= rest.length)) return
        pending = rest.slice(length)
        if (name === 'lines') socket.write(`HTTP/1.1 200 OK\r\n${TINY_LINES}`)
        const [, cookie = 'none'] = /^Cookie: sid=(.*)$/im.exec(head) ?? []
        const body = name === 'large' ? 'x'.repeat(LARGE_OCTETS) : `<${name}> {${cookie}}`
        const answer = `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${cookie}\r\nContent-Length: ${body.length}\r\n\r\n`
        socket.write(late + answer + (method === 'HEAD' ? '' : body), 'latin1')
        late = method === 'HEAD' ? answer + body : ''
      }
    })
  })
  process.on('disconnect', () => process.exit())
  server.listen(0, '127.0.0.1', 8_192, () => process.send({ port: server.address().port }))
}

/** Octets of a body on the wire; NaN or more than there are when it has not ended. */
function bodyLength(head, octets) {
  if (!/^Transfer-Encoding: chunked$/im.test(head))
    return Number(/^Content-Length: (\d+)$/im.exec(head)?.[1] ?? 0)
  const end = octets.search(/(?:^|\r\n)0\r\n\r\n/)
  return end === -1 ? Number.POSITIVE_INFINITY : octets.indexOf('0\r\n\r\n', end) + 5
}

// Clients

/**
 * Visitors of many kinds at once, each with a mark of their own. A response with another visitor's mark reached the wrong
 * one. Gets { port, seconds, statusOfPost } and sends counts.
 */
function visit() {
  process.once('message', async ({ port, seconds, statusOfPost }) => {
    const result = { strangers: 0, complete: 0, refused: 0, attacks: 0, failures: {} }
    const endsAtMs = performance.now() + seconds * 1_000
    const unfinished = `GET ${PREFIX}${CHOSEN} HTTP/1.1\r\nHost: attacker.example\r\nX-Swallow: `
    const judge = (mark, answer) => {
      const found = answer === undefined ? [] : [...`${answer.head}${answer.body}`.matchAll(MARK)]
      if (found.some(([, name]) => name !== mark)) result.strangers += 1
    }
    /** A complete request that has to be answered. */
    const honest = (method, toOctets, status) => async (mark, client) => {
      const [answer] = await client.ask(toOctets(mark), [method])
      judge(mark, answer)
      result.complete += 1
      if (answer?.status === 503) result.refused += 1
      else if (answer?.status !== status || (method === 'GET' && !answer.body.startsWith(`<${mark}>`))) {
        const what = `${method}: ${answer?.status ?? 'no answer'}`
        result.failures[what] = (result.failures[what] ?? 0) + 1
      }
    }
    /** Whatever comes back is right, as long as it is not another visitor's. */
    const attack = (method, toOctets) => async (mark, client) => {
      result.attacks += 1
      judge(mark, (await client.ask(toOctets(mark), [method]))[0])
      client.close()
    }
    const pipelined = async (mark, client) => {
      result.attacks += 1
      const asked = MARKS.slice(MARKS.indexOf(mark)).slice(0, 5)
      const answers = await client.ask(
        asked.map((each) => head('GET', each)).join(''),
        asked.map(() => 'GET'),
      )
      for (const [i, answer] of answers.entries()) judge(asked[i], answer)
      client.close()
    }
    const giveUp = (toOctets, afterMs) => async (mark, client) => {
      result.attacks += 1
      await client.write(toOctets(mark))
      await wait(afterMs)
      client.close()
    }
    const slowUpload = async (mark, client) => {
      await client.write(head('POST', mark, 'Content-Length: 1000000\r\n'))
      while (performance.now() < endsAtMs && client.isOpen()) {
        await client.write('x')
        await wait(1_000)
      }
      client.close()
    }
    const withBody = (method) => (mark) =>
      head(method, mark, `Content-Length: ${unfinished.length}\r\n`) + unfinished
    const kinds = [
      [8, honest('GET', (mark) => head('GET', mark), 200)],
      [2, honest('HEAD', (mark) => head('HEAD', mark), 200)],
      [
        4,
        honest(
          'POST',
          (mark) => head('POST', mark, 'Content-Length: 2000\r\n') + 'p'.repeat(2_000),
          statusOfPost,
        ),
      ],
      [1, honest('POST', (mark) => head('POST', mark, CHUNKED) + TINY_CHUNKS, statusOfPost)],
      ...['GET', 'HEAD', 'DELETE'].map((method) => [1, attack(method, withBody(method))]),
      [2, pipelined],
      [2, giveUp((mark) => head('GET', mark, `X-Large: ${'x'.repeat(30_000)}\r\n`), 0)],
      [1, giveUp((mark) => head('GET', mark), 5)],
      [1, giveUp((mark) => `${head('POST', mark, 'Content-Length: 4000\r\n')}half`, 5)],
      [1, giveUp((mark) => head('POST', mark, CHUNKED) + TINY_CHUNKS.slice(0, 600), 5)],
      [150, slowUpload],
    ]
    let next = 0
    const run = async (kind) => {
      const mark = MARKS[next++ % MARKS.length]
      let client
      while (performance.now() < endsAtMs) {
        if (client?.isOpen() !== true) client = await openClient(port)
        await kind(mark, client)
        await wait(10)
      }
      client?.close()
    }
    await Promise.all(kinds.flatMap(([count, kind]) => Array.from({ length: count }, () => run(kind))))
    process.send(result)
  })
  process.on('disconnect', () => process.exit())
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const TINY_CHUNKS = `${'1\r\nt\r\n'.repeat(2_000)}0\r\n\r\n`
const TINY_LINES = 'ab:\r\n'.repeat(30_500)
/** Marks in a body, or in a cookie that comes back. */
const MARK = /(?:<|{|Set-Cookie: sid=)(visitor-\d+|chosen)\b/g

function head(method, name, lines = '') {
  const cookie = MARKS.includes(name) ? `Cookie: sid=${name}\r\n` : ''
  return `${method} ${PREFIX}${name} HTTP/1.1\r\nHost: www.example.com\r\n${cookie}${lines}\r\n`
}

/**
 * Floods: heads, trailers, chunks and responses of tiny pieces; uploads that are announced and never come, heads that
 * never end, and readers that don't read. Gets { port }, sends an answer when all are open, and on 'state' how many were cut.
 */
function flood() {
  let cut = 0
  const kinds = [
    [40, head('GET', 'small', TINY_LINES)],
    [40, `${head('POST', 'small', CHUNKED)}1\r\nx\r\n0\r\n${TINY_LINES}`],
    [40, head('GET', 'lines')],
    [
      40,
      `${head('POST', 'small', `Connection: close\r\n${CHUNKED}`)}${'1\r\nx\r\n'.repeat(30_500)}0\r\n\r\n`,
    ],
    [300, head('POST', 'small', 'Content-Length: 1000\r\n')],
    [300, head('GET', 'small').slice(0, -2)],
    [24, head('GET', 'large'), 'pause'],
  ]
  const start = async (port, octets, pause) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.once('close', () => {
      cut += 1
      setTimeout(() => start(port, octets, pause), 250)
    })
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    if (socket.destroyed) return
    if (pause) socket.pause()
    else socket.resume()
    socket.write(octets)
  }
  process.once('message', async ({ port }) => {
    for (const [count, octets, pause] of kinds)
      for (let i = 0; i < count; i += 1) await start(port, octets, pause)
    process.send({})
    process.on('message', () => process.send({ cut }))
  })
  process.on('disconnect', () => process.exit())
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
      socket.destroy()
    },
    write: (octets) => new Promise((resolve) => socket.write(octets, 'latin1', resolve)),
    /** Writes requests and reads a response for each; fewer if the connection ends or one does not arrive in time. */
    ask: async (octets, methods) => {
      socket.write(octets, 'latin1')
      const answers = []
      const deadline = setTimeout(() => socket.destroy(), 60_000)
      while (answers.length < methods.length) {
        const answer = takeAnswer(pending, methods[answers.length])
        if (answer !== undefined) {
          pending = answer.rest
          answers.push(answer)
          if (/^connection: *close$/im.test(answer.head)) isOpen = false
        } else if (socket.readableEnded || socket.destroyed) break
        else await new Promise((resolve) => (wake = resolve))
      }
      clearTimeout(deadline)
      return answers
    },
  }
}

/** Takes one response off the front of latin1 text; `undefined` when it is not complete. */
function takeAnswer(octets, method) {
  const headEnd = octets.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = octets.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const rest = octets.slice(headEnd + 4)
  const length = /^transfer-encoding: *chunked$/im.test(head)
    ? bodyLength('Transfer-Encoding: chunked', rest)
    : Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? Number.NaN)
  if (method === 'HEAD' || status === 204 || status === 304) return { status, head, body: '', rest }
  if (!(length <= rest.length)) return undefined
  return { status, head, body: rest.slice(0, length), rest: rest.slice(length) }
}

// Last, since the tables above have to be there.
await (ROLES[process.env.SOAK_ROLE] ?? main)()
