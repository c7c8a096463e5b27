// What an installation costs apart from requests: start, memory, scrapes, latency, growth, size. One table.
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { measureCheckGrowth } from './check-costs.mjs'
import { cpuSeconds, residentMebibytes, start, stop } from './measure.mjs'
import {
  folder,
  generate,
  here,
  median,
  nextPort,
  proxyCpu,
  small,
  startProxy,
  startServe,
  startUpstream,
  writeConfig,
} from './own.mjs'
import { measureStarts } from './start-costs.mjs'

/** @returns rows of [what, figure, target, whether it is met] */
export async function measureCosts() {
  const installed = installPackage()
  return [
    ...(await measureStarts(join(installed, 'dist/main.js'))),
    ...(await measureMemory()),
    ...(await measureScrape()),
    ...(await measureLatency()),
    ...(await measureRequestGrowth()),
    ...measureCheckGrowth(),
    ...measureInstall(),
  ]
}

async function measureMemory() {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const port = nextPort()
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
  const eachKibibytes = ((connected - idle) * 1_024) / CONNECTIONS
  return [
    ['resident memory, idle', `${idle.toFixed(0)} MiB`, '52 MiB', idle <= 52],
    [
      `for each of ${CONNECTIONS} idle client connections`,
      `${eachKibibytes.toFixed(1)} KiB`,
      '8 KiB',
      eachKibibytes <= 8,
    ],
    [
      `for each of ${CONNECTIONS} requests in flight, on top`,
      `${(((busy - connected) * 1_024) / CONNECTIONS).toFixed(0)} KiB`,
      '',
    ],
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

/** Each point has had a request, so that it has its counters. */
async function measureScrape() {
  const upstream = await startUpstream()
  const admin = { port: nextPort() }
  const { port, child } = await startProxy(upstream.port, 1_000, { admin })
  for (let at = 0; at < 999; at += 1) await visit(port, `h${at}.example.com`)
  const times = []
  let kilobytes = 0
  for (let round = 0; round < 15; round += 1) {
    const startedAtMs = performance.now()
    const page = await (await fetch(`http://127.0.0.1:${admin.port}/metrics`)).text()
    times.push(performance.now() - startedAtMs)
    kilobytes = page.length / 1_000
  }
  await stop(child)
  await stop(upstream.child)
  const ms = median(times)
  const measured = `${ms.toFixed(0)} ms (${kilobytes.toFixed(0)} KB)`
  return [['scrape of /metrics, 1,000 points', measured, '50 ms', ms < 50]]
}

function visit(port, host) {
  const options = { port, path: '/service_cookie_transfer/init', headers: { Host: host } }
  return new Promise((resolve, reject) => {
    get(options, (response) => response.resume().once('end', resolve)).once('error', reject)
  })
}

/** At saturation and at 70 % of it, beside the bare floor in turn; the upstream alone shows what the machine adds. */
async function measureLatency() {
  const upstream = await startUpstream()
  const { port, child } = await startProxy(upstream.port)
  const floorPort = nextPort()
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
      '1.15 ×',
      ratio <= 1.15,
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

/** Gives memory time to settle; the exact time does not matter. */
function settle() {
  return new Promise((resolve) => setTimeout(resolve, 2_000))
}

const CONNECTIONS = 1_000
