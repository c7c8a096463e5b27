// What an installation costs apart from requests: start, memory, latency at half load, growth, size. One table.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loads } from './loads.mjs'
import { capture, cpuSeconds, residentMebibytes, start, stop } from './measure.mjs'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const small = loads.find(({ name }) => name === 'small')
const [proxyCpu, otherCpu] = cpus().length > 1 ? ['0', '1'] : [undefined, undefined]
const folder = mkdtempSync(join(tmpdir(), 'bench-costs-'))
let nextPort = 22_000

/** @returns rows of [what, figure, target, whether it is met] */
export async function measureCosts() {
  try {
    const installed = installPackage()
    return [
      ...(await measureStart(join(installed, 'dist/main.js'))),
      ...(await measureMemory()),
      ...(await measureLatency()),
      ...(await measureRequestGrowth()),
      ...measureCheckGrowth(),
      ...(await measureWorkers()),
      ...measureInstall(),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureStart(program) {
  const config = writeConfig({})
  const checked = here('../config.example.json')
  const times = { empty: [], serve: [], check: [] }
  for (let round = 0; round < 15; round += 1) {
    times.empty.push(await spawnMs(['-e', '0']))
    times.serve.push(await spawnMs([program, 'serve', '--config', config], '"listening"'))
    times.check.push(await spawnMs([program, 'check', '--offline', '--config', checked]))
  }
  const empty = median(times.empty)
  const row = (what, ms, limit) => [
    what,
    `${(ms / empty).toFixed(2)} × \`node -e 0\` (${ms.toFixed(0)} ms)`,
    `${limit} ×`,
    ms / empty <= limit,
  ]
  return [
    row('start of `serve` until it listens', median(times.serve), 2.2),
    row('`check --offline` of the example config', median(times.check), 2.2),
  ]
}

/** Until the program ends, or prints what is waited for and is ended then. */
function spawnMs(words, waitFor) {
  return new Promise((resolve) => {
    const startedAtMs = performance.now()
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    let readyMs
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (waitFor === undefined || readyMs !== undefined || !text.includes(waitFor)) return
      readyMs = performance.now() - startedAtMs
      child.kill('SIGKILL')
    })
    child.on('close', () => resolve(readyMs ?? performance.now() - startedAtMs))
  })
}

async function measureMemory() {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const port = nextPort++
  const child = await startServe(
    port,
    writeConfig({
      origin: `http://localhost:${silent.address().port}`,
      listen: { port },
      limits: { concurrentRequests: 5_000, upstreamConnections: 5_000 },
    }),
  )
  await settle()
  const idle = residentMebibytes(child.pid)
  const sockets = await openConnections(port, CONNECTIONS)
  await settle()
  const connected = residentMebibytes(child.pid)
  for (const socket of sockets) {
    socket.write(
      `GET /service_cookie_transfer/init HTTP/1.1\r\nHost: www.example.com\r\n${small.fields.join('\r\n')}\r\n\r\n`,
    )
  }
  await settle()
  const busy = residentMebibytes(child.pid)
  for (const socket of sockets) socket.destroy()
  await stop(child)
  silent.closeAllConnections()
  silent.close()
  const each = (mebibytes) => `${((mebibytes * 1_024) / CONNECTIONS).toFixed(0)} KiB`
  return [
    ['resident memory, idle', `${idle.toFixed(0)} MiB`, '', true],
    [`for each of ${CONNECTIONS} idle client connections`, each(connected - idle), '', true],
    [`for each of ${CONNECTIONS} requests in flight, on top`, each(busy - connected), '', true],
  ]
}

function openConnections(port, count) {
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(port, '127.0.0.1')
          socket.once('connect', () => resolve(socket)).once('error', reject)
        }),
    ),
  )
}

/** At saturation and at 70 % of it, beside the bare floor in turn; the upstream alone shows what the machine adds. */
async function measureLatency() {
  const upstream = await startUpstream()
  const { port, child } = await startProxy(upstream.port)
  const floorPort = nextPort++
  const floor = await start(
    [process.execPath, here('peers/floor.mjs'), String(floorPort), `http://127.0.0.1:${upstream.port}`, ''],
    proxyCpu,
    floorPort,
  )
  const places = { ours: port, floor: floorPort, upstream: upstream.port }
  const full = {}
  for (const [name, at] of Object.entries(places)) {
    await generate(at, small, 3)
    const { requests, elapsedSeconds } = await generate(at, small, 3)
    full[name] = requests / elapsedSeconds
  }
  const rate = Math.round(full.ours * 0.7)
  const rows = []
  for (const [what, load] of [
    ['at saturation', small],
    [`at ${rate} requests/s, 70 % of ours`, { ...small, rate }],
  ]) {
    const rounds = { ours: [], floor: [], upstream: [] }
    for (let round = 0; round < 15; round += 1) {
      for (const [name, at] of Object.entries(places)) {
        // Connections to the upstream have ended since the last round.
        await generate(at, load, 0.5)
        rounds[name].push((await generate(at, load, 2)).p99Ms)
      }
    }
    const ratio = median(rounds.ours.map((p99Ms, round) => p99Ms / rounds.floor[round]))
    const each = Object.entries(rounds).map(([name, p99s]) => `${name} ${median(p99s).toFixed(2)}`)
    rows.push([
      `99th percentile ${what}`,
      `${ratio.toFixed(2)} × the floor's (ms: ${each.join(', ')})`,
      '1.1 ×',
      ratio <= 1.1,
    ])
  }
  await stop(floor)
  await stop(child)
  await stop(upstream.child)
  return rows
}

async function measureRequestGrowth() {
  const upstream = await startUpstream()
  const shapes = [
    ['1 point', {}, small],
    ['100 points', { points: 100 }, small],
    ['10,000 points', { points: 10_000 }, small],
    [
      '40 more field lines',
      {},
      {
        ...small,
        fields: [...small.fields, ...Array.from({ length: 40 }, (_, i) => `X-Field-${i}: value ${i}`)],
      },
    ],
    ['4 KiB more of cookies', {}, withCookies(4_096)],
    ['32 KiB more of cookies', {}, withCookies(32_768)],
  ]
  const costs = shapes.map(() => [])
  for (let round = 0; round < 3; round += 1) {
    for (const [at, [, { points }, load]] of shapes.entries()) {
      const { port, child } = await startProxy(upstream.port, points)
      await generate(port, load, 1)
      const before = cpuSeconds(child.pid)
      const { requests } = await generate(port, load, 2)
      costs[at].push(((cpuSeconds(child.pid) - before) / requests) * 1e6)
      await stop(child)
    }
  }
  await stop(upstream.child)
  const base = median(costs[0])
  return shapes.map(([what], at) => {
    const ratio = median(costs[at]) / base
    const isFlat = what.endsWith('points')
    return [
      `CPU per request with ${what}`,
      `${ratio.toFixed(2)} × (${median(costs[at]).toFixed(0)} µs)`,
      isFlat ? 'flat' : '',
      !isFlat || ratio < 1.15,
    ]
  })
}

function withCookies(bytes) {
  const line = small.fields.at(-1)
  return { ...small, fields: [...small.fields.slice(0, -1), `${line}; more=${'x'.repeat(bytes)}`] }
}

/** Each kind of input with n, 2n and 4n: the time must not grow faster than the input, but for a sort. */
function measureCheckGrowth() {
  const kinds = [
    ['covered cookies, with as many points', 2_500, toCovered],
    ['cookies that no point covers, on a host each', 500, (count) => toUncovered(count, 1)],
    ['the same with a page each', 500, (count) => toUncovered(count, count)],
    ['http points with an https page each', 500, toMixed],
  ]
  return kinds.map(([what, count, toConfig]) => {
    const runs = [count, 2 * count, 4 * count].map((size) => timeCheck(toConfig(size)))
    const [least = 0, , most = 0] = runs.map(({ seconds }) => seconds)
    const list = (values) => values.join(', ')
    return [
      `\`check --offline\`, ${what}: ${list([1, 2, 4].map((times) => times * count))}`,
      `${list(runs.map(({ seconds }) => seconds.toFixed(2)))} s; JSON ${list(runs.map(({ bytes }) => (bytes / 1e6).toFixed(1)))} MB`,
      'four times the input at most 5 ×',
      most <= 5 * least,
    ]
  })
}

function timeCheck(config) {
  const file = join(folder, 'check.json')
  writeFileSync(file, JSON.stringify(config))
  const startedAtMs = performance.now()
  const { stdout } = spawnSync(
    process.execPath,
    [program, 'check', '--offline', '--format', 'json', '--config', file],
    { maxBuffer: 1e9 },
  )
  return { seconds: (performance.now() - startedAtMs) / 1_000, bytes: stdout.length }
}

const PREFIX = '/service_cookie_transfer/'
const hosts = (count) => Array.from({ length: count }, (_, at) => `h${at}.example.com`)
const toCheck = (more) => ({
  service: { url: 'https://cobrowse.example.net' },
  widgetKey: 'bench',
  pages: ['https://www.example.com/'],
  points: [`https://www.example.com${PREFIX}`],
  ...more,
})

/** Eight points on each host, a cookie for each point. */
function toCovered(count) {
  const places = hosts(Math.ceil(count / 8)).flatMap((host) =>
    Array.from({ length: 8 }, (_, at) => ({ host, path: `/p${at}` })),
  )
  return toCheck({
    points: places.slice(0, count).map(({ host, path }) => `https://${host}${path}${PREFIX}`),
    cookies: places
      .slice(0, count)
      .map(({ host, path }) => ({ name: 'id', domain: host, path, httponly: true, secure: true })),
  })
}

function toUncovered(count, pages) {
  return toCheck({
    pages: hosts(pages).map((host) => `https://${host}/`),
    cookies: hosts(count).map((domain) => ({ name: 'id', domain, path: '/shop', httponly: true })),
  })
}

function toMixed(count) {
  return toCheck({
    pages: hosts(count).map((host) => `https://${host}/`),
    points: hosts(count).map((host) => `http://${host}${PREFIX}`),
    cookies: hosts(count).map((domain) => ({ name: 'id', domain, path: '/shop', httponly: true })),
  })
}

/** Needs four processors: two for the workers, one for the generator and one for the upstream. */
async function measureWorkers() {
  const what = 'requests/s with two workers'
  if (cpus().length < 4) return [[what, `not measured: ${cpus().length} processors`, '1.8 × one', undefined]]
  const upstream = await startUpstream()
  const rates = []
  for (const workers of [1, 2]) {
    const port = nextPort++
    const config = writeConfig({ origin: `http://localhost:${upstream.port}`, listen: { port }, workers })
    const child = await start([process.execPath, program, 'serve', '--config', config], '2,3', port)
    await generate(port, small, 1)
    const { requests, elapsedSeconds } = await generate(port, small, 3)
    rates.push(requests / elapsedSeconds)
    await stop(child)
  }
  await stop(upstream.child)
  const ratio = rates[1] / rates[0]
  return [[what, `${ratio.toFixed(2)} × one`, '1.8 × one', ratio >= 1.8]]
}

/** Installs the package as users get it, and says where it is. */
function installPackage() {
  const options = { cwd: here('..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    options,
  )
  const file = join(folder, JSON.parse(packed)[0].filename)
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev']
  execFileSync('npm', ['install', '--prefix', folder, ...flags, file], options)
  return join(folder, 'node_modules/continuation-point')
}

function measureInstall() {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
  const lock = JSON.parse(execFileSync('npm', ['ls', '--prefix', folder, '--all', '--json'], options))
  const names = new Set()
  const visit = ({ dependencies = {} }) => {
    for (const [name, each] of Object.entries(dependencies)) {
      // A peer that is optional and absent has no version.
      if (each.version !== undefined) names.add(`${name}@${each.version}`)
      visit(each)
    }
  }
  visit(lock)
  const mebibytes = apparentBytes(join(folder, 'node_modules')) / 1e6
  return [
    ['what `npx` installs', `${mebibytes.toFixed(1)} MB`, '15 MB', mebibytes <= 15],
    ['packages, this one included', String(names.size), '25', names.size <= 25],
  ]
}

function apparentBytes(path) {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

async function startUpstream() {
  const port = nextPort++
  return { port, child: await start([process.execPath, here('upstream.mjs'), String(port)], otherCpu, port) }
}

async function startProxy(upstreamPort, points = 1) {
  const port = nextPort++
  const origin = `http://localhost:${upstreamPort}`
  return { port, child: await startServe(port, writeConfig({ origin, listen: { port }, points })) }
}

function startServe(port, config) {
  return start([process.execPath, program, 'serve', '--config', config], proxyCpu, port)
}

function writeConfig({ origin = 'http://localhost:9', points = 1, ...more }) {
  const file = join(folder, `${nextPort++}.json`)
  const config = {
    service: { url: origin },
    widgetKey: 'bench',
    points: [
      'https://www.example.com/service_cookie_transfer/',
      ...Array.from({ length: points - 1 }, (_, at) => `https://h${at}.example.com/service_cookie_transfer/`),
    ],
    listen: { port: 0 },
    admin: null,
    log: { access: false },
    ...more,
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

async function generate(port, load, seconds) {
  const words = [
    here('generator.mjs'),
    String(port),
    'www.example.com',
    JSON.stringify(load),
    String(seconds),
  ]
  return JSON.parse(await capture([process.execPath, ...words], otherCpu))
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Gives memory time to settle; the exact time does not matter. */
function settle() {
  return new Promise((resolve) => setTimeout(resolve, 2_000))
}

const CONNECTIONS = 1_000
