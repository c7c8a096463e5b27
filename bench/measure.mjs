import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Starts a program pinned to a processor, where taskset is present, and waits until its port accepts. */
export async function start(words, cpu, port, env = {}) {
  const [command, ...rest] = pinned(words, cpu)
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, ...env },
  })
  const deadlineMs = performance.now() + 15_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended: ${words.join(' ')}`)
    if (await accepts(port)) return child
    if (performance.now() > deadlineMs) throw new Error(`It never listened: ${words.join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Runs a program to its end and gives what it printed. */
export function capture(words, cpu) {
  const [command, ...rest] = pinned(words, cpu)
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`Exit ${code}: ${words.join(' ')}`)),
    )
  })
}

export async function stop(child) {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  const hard = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(hard)
}

/** CPU seconds of a process and all its descendants so far. */
export function cpuSeconds(pid) {
  return tree(pid).reduce((sum, each) => {
    const fields = stat(each)
    return fields === undefined ? sum : sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  }, 0)
}

/** Peak resident memory of a process and its descendants, MiB, added up. */
export function peakMebibytes(pid) {
  return tree(pid).reduce((sum, each) => sum + statusKibibytes(each, 'VmHWM') / 1024, 0)
}

/** Resident memory now, MiB. */
export function residentMebibytes(pid) {
  return tree(pid).reduce((sum, each) => sum + statusKibibytes(each, 'VmRSS') / 1024, 0)
}

function pinned(words, cpu) {
  return cpu === undefined || !hasTaskset() ? words : ['taskset', '-c', cpu, ...words]
}

let taskset
function hasTaskset() {
  if (taskset === undefined) {
    try {
      execFileSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' })
      taskset = true
    } catch {
      taskset = false
    }
  }
  return taskset
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** The process and everything below it. */
function tree(pid) {
  const parents = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = stat(name)
    if (fields !== undefined) parents.set(Number(name), Number(fields[1]))
  }
  const found = [pid]
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child)
  return found
}

/** The fields of /proc/PID/stat after the name, state first. */
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function statusKibibytes(pid, name) {
  try {
    return Number(
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
    )
  } catch {
    return 0
  }
}
