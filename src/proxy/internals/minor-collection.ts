import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Asks V8 for a minor collection whenever this many octets of bodies have passed. Each piece of a body is garbage once
 * it is written, but V8 sees its small handle only and lets 32 MiB of pieces stand (64 MiB since Node 26), long enough
 * for their memory to leave every processor cache. Freed this often the same memory is used again while it is warm.
 *
 * It sets a flag of the whole process, so only a process of our own may ask for it.
 *
 * @returns what to tell how many octets passed
 */
export function collectAfterBodies(collect = minorCollection): (octets: number) => void {
  let passed = 0
  return (octets) => {
    passed += octets
    if (passed < OCTETS_BETWEEN) return
    passed = 0
    collect()
  }
}

/** Node shows V8's own function to none but a context that is made while the flag is set. */
function minorCollection(): void {
  collector ??= findCollector()
  collector({ type: 'minor' })
}

type Collector = (options: { type: 'minor' }) => void

let collector: Collector | undefined

function findCollector(): Collector {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? (found as Collector) : () => {}
}

/** From 4 to 16 MiB large bodies cost the same; 2 and 32 cost more. */
const OCTETS_BETWEEN = 8 * 1_048_576
