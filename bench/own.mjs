// What the measurements of costs share: a folder, configs, our own program as a process, and the load generator.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loads } from './loads.mjs'
import { capture, start } from './measure.mjs'

export const here = (name) => fileURLToPath(new URL(name, import.meta.url))
export const program = here('../dist/main.js')
export const folder = mkdtempSync(join(tmpdir(), 'bench-costs-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
export const small = loads.find(({ name }) => name === 'small')
export const [proxyCpu, otherCpu] = cpus().length > 1 ? ['0', '1'] : [undefined, undefined]
let port = 22_000

export function nextPort() {
  port += 1
  return port
}

export async function startUpstream() {
  const port = nextPort()
  return { port, child: await start([process.execPath, here('upstream.mjs'), String(port)], otherCpu, port) }
}

export async function startProxy(upstreamPort, points = 1, more = {}) {
  const port = nextPort()
  const origin = `http://localhost:${upstreamPort}`
  return { port, child: await startServe(port, writeConfig({ origin, listen: { port }, points, ...more })) }
}

export function startServe(port, config, cpu = proxyCpu) {
  return start([process.execPath, program, 'serve', '--config', config], cpu, port)
}

export function writeConfig({ origin = 'http://localhost:9', points = 1, ...more }) {
  const file = join(folder, `${nextPort()}.json`)
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

/** Sends a load for some seconds and gives what the generator counted. */
export async function generate(port, load, seconds) {
  const words = [String(port), 'www.example.com', JSON.stringify(load), String(seconds)]
  return JSON.parse(await capture([process.execPath, here('generator.mjs'), ...words], otherCpu))
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
