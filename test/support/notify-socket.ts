import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./notify-socket.py', import.meta.url))

/** Opens a socket in place of systemd's. */
export async function openNotifySocket(address: string) {
  const child = spawn('python3', [script, address], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  await new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (more) => {
      text += more
      resolve()
    }),
  )
  return {
    /** What services said so far. */
    told: () => text.split('\n').filter((line) => /^(?:READY|WATCHDOG|STOPPING)=/.test(line)),
    close: () => void child.kill('SIGKILL'),
  }
}
