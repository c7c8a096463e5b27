import { onTestFinished } from 'vitest'

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
