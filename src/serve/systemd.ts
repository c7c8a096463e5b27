import { type ChildProcess, spawn } from 'node:child_process'
import type { Environment } from '../config/environment.ts'

/**
 * Tells systemd (`Type=notify`) that the service is ready, and its watchdog that it works; elsewhere nothing is told.
 *
 * @param onAbsence called if systemd's program can't be run
 * @returns tells that it stops
 */
export function tellReady(
  { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID }: Environment,
  ownProcessId: number,
  isWorking: () => boolean,
  onAbsence: () => void,
  open = openNotifier,
): () => void {
  if (NOTIFY_SOCKET === undefined) return () => {}
  const tell = open(onAbsence)
  tell('READY=1')
  const isWatched = WATCHDOG_PID === undefined || WATCHDOG_PID === `${ownProcessId}`
  // Often enough that one or two may be lost.
  const everyMs = Number(WATCHDOG_USEC) / 1_000 / 4
  if (isWatched && everyMs > 0) setInterval(() => isWorking() && tell('WATCHDOG=1'), everyMs).unref()
  return () => tell('STOPPING=1')
}

/**
 * Node has no datagram sockets of AF_UNIX, so systemd's own program sends each notice. A shell starts it: this process may
 * be short of files or memory by then. The shell ends with this process; if it is killed, the next notice starts another.
 */
function openNotifier(onAbsence: () => void): (notice: string) => void {
  let shell: ChildProcess | undefined
  const open = () => {
    const child = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'] })
    child.once('error', onAbsence).once('exit', (_code, signal) => {
      if (signal === null) onAbsence()
      else shell = undefined
    })
    child.unref()
    child.stdin.on('error', () => {})
    return child
  }
  return (notice) => {
    try {
      shell ??= open()
      shell.stdin?.write(`${notice}\n`)
    } catch {
      onAbsence()
    }
  }
}

const SCRIPT = 'command -v systemd-notify || exit; while read -r notice; do systemd-notify "$notice"; done'
