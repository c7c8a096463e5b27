// The processes of a soak run: the program itself, and peers that do what the parent asks.
import { fork, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const running = new Set()

/** Starts a peer of this folder. */
export function startPeer(name, nodeFlags = []) {
  return withMessages(
    fork(path(name), { execArgv: nodeFlags, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
}

/** Starts the service and waits for its port. */
export async function startService() {
  const service = startPeer('service.mjs')
  const { port } = await service.next()
  return { ...service, port }
}

/** Starts `continuation-point serve` as a user would, plus the probe, and waits until it accepts. */
export async function startProgram(service, changes = {}, nodeFlags = []) {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  const file = join(folder, 'config.json')
  const config = {
    service: { url: `http://127.0.0.1:${service.port}` },
    widgetKey: 'soak-widget-key',
    points: ['http://www.example.com/service_cookie_transfer/'],
    listen: { port: 0 },
    admin: { port: 0 },
    workers: 1,
    ...changes,
  }
  writeFileSync(file, JSON.stringify(config))
  const words = [
    ...nodeFlags,
    '--expose-gc',
    '--import',
    path('probe.mjs'),
    path('../../dist/main.js'),
    'serve',
    '--config',
    file,
  ]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const [port, adminPort] = await new Promise((resolve, reject) => {
    let text = ''
    const look = (chunk) => {
      text += chunk
      const portOf = (name) => text.match(`"listener":"${name}","url":"http://[^"]+:([0-9]+)"`)?.[1]
      if (portOf('public') === undefined || portOf('admin') === undefined) return
      child.stdout.off('data', look).resume()
      resolve([Number(portOf('public')), Number(portOf('admin'))])
    }
    child.stdout.on('data', look)
    child.once('exit', () => reject(new Error(`serve did not start: ${text}`)))
  })
  rmSync(folder, { recursive: true })
  return { ...withMessages(child), port, adminPort }
}

/** Exchanges in flight, according to the program's metrics. */
export async function activeRequests({ adminPort }) {
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  return Number(/^http_server_active_requests (\d+)$/m.exec(metrics)[1])
}

/** Stops whatever is still running. */
export async function stopAll() {
  await Promise.all([...running].map((child) => stop(child)))
}

/** Resident memory in bytes, from the kernel. */
export function residentMebibytes({ pid }) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024
}

/** Open files of a process, from the kernel. */
export function openFiles({ pid }) {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** The most files that a process started from here may open. */
export function openFilesLimit() {
  return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))[1])
}

/** Samples the memory of a process until it is stopped, and returns the peak. */
export function watchResident(process, everyMs = 100) {
  let peak = residentMebibytes(process)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMebibytes(process))
  }, everyMs)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** Stops the process at the end of the run, unless it has ended. */
export function keep(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return { stop: () => stop(child) }
}

function withMessages(child) {
  keep(child)
  const next = () =>
    new Promise((resolve, reject) => {
      const onExit = (code) =>
        reject(new Error(`A process ended early with ${code}: ${child.spawnargs.join(' ')}`))
      child.once('exit', onExit)
      child.once('message', (message) => {
        child.off('exit', onExit)
        resolve(message)
      })
    })
  return {
    pid: child.pid,
    next,
    /** Sends one message and waits for the answer. */
    ask: (message) => {
      const answer = next()
      child.send(message)
      return answer
    },
    stop: () => stop(child),
  }
}

/** Kills what is left of the process group that a child leads. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch ({ code }) {
    if (code !== 'ESRCH') throw new Error(`Could not end the group of ${pid}: ${code}`)
  }
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  return new Promise((resolve) => {
    const hard = setTimeout(() => child.kill('SIGKILL'), 5_000)
    child.once('exit', () => {
      clearTimeout(hard)
      killGroup(child.pid)
      resolve()
    })
    if (child.connected) child.disconnect()
    child.kill('SIGTERM')
  })
}
