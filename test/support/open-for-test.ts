import { onTestFinished } from 'vitest'
import type { Program } from './program.ts'

/** What `start` resolves with, closed after the test that asks for it; the last one first. */
export async function openForTest<Opened extends { close(): unknown }>(
  start: Promise<Opened>,
): Promise<Opened> {
  const opened = await start
  onTestFinished(async () => {
    await opened.close()
  })
  return opened
}

/** The same for a program, which gets a signal and then has to end. */
export function endAfterTest(program: Program, signal: NodeJS.Signals = 'SIGKILL'): Program {
  onTestFinished(async () => {
    program.signal(signal)
    await program.ended()
  })
  return program
}
