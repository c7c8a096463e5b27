import { expect, it, onTestFinished, vi } from 'vitest'
import { tellReady } from '../../src/serve/systemd.ts'

const OWN = 77
const NOTIFY_SOCKET = '/run/systemd/notify'

/** What a service with these variables tells within two intervals of a watchdog of 20 s. */
function toldBy(env: Record<string, string>, isWorking = () => true): readonly string[] {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const open = () => (line: string) => void lines.push(line)
  const tellStopping = tellReady(env, OWN, isWorking, () => {}, open)
  vi.advanceTimersByTime(10_000)
  tellStopping()
  return lines
}

it.each([
  ['is not there', {}, []],
  ['does not watch', { NOTIFY_SOCKET }, ['READY=1', 'STOPPING=1']],
  [
    'watches',
    { NOTIFY_SOCKET, WATCHDOG_USEC: '20000000' },
    ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1'],
  ],
  [
    'watches this process',
    { NOTIFY_SOCKET, WATCHDOG_USEC: '20000000', WATCHDOG_PID: `${OWN}` },
    ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1'],
  ],
  [
    'watches another process',
    { NOTIFY_SOCKET, WATCHDOG_USEC: '20000000', WATCHDOG_PID: '78' },
    ['READY=1', 'STOPPING=1'],
  ],
  ['watches without a time', { NOTIFY_SOCKET, WATCHDOG_USEC: '' }, ['READY=1', 'STOPPING=1']],
])('a systemd that %s is told', (_, env, notices) => {
  expect(toldBy(env)).toEqual(notices)
})

it('its watchdog is told nothing by a service that does not work', () => {
  const env = { NOTIFY_SOCKET, WATCHDOG_USEC: '20000000' }
  expect(toldBy(env, () => false)).toEqual(['READY=1', 'STOPPING=1'])
})
