import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Runs a minor garbage collection after every 8 MiB of bodies. Each piece of a body is garbage once it is written, but
 * V8 counts only its small handle and lets 32 MiB of pieces accumulate (64 MiB since Node 26), long enough for their
 * memory to leave every processor cache. Freed this often, the same memory is reused while it is still cached.
 *
 * It sets a flag for the whole process, so only `serve` uses it, not the library.
 *
 * @returns a function to be called with the size of each piece
 */
export function collectAfterBodies(given?: () => void): (octets: number) => void {
  let collect = given
  let passed = 0
  return (octets) => {
    passed += octets
    if (passed < OCTETS_BETWEEN) return
    passed = 0
    collect ??= findCollector()
    collect()
  }
}

/** V8's function is visible only in a context that is created while the flag is set. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? () => void found({ type: 'minor' }) : () => {}
}

/** Measured: 4 to 16 MiB cost the same for large bodies; 2 and 32 cost more. */
const OCTETS_BETWEEN = 8 * 1_048_576
