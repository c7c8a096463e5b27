import { setImmediate, setTimeout as wait } from 'node:timers/promises'

/** Looks again until it is so; the runner's limit ends it. Between two looks the processor is left to what is waited for. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10)
}

/** Some turns of the loop, in which the other end reads what was written. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}
