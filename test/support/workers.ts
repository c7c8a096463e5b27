import type { ChildProcess } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Process ids of the workers, from the kernel: the children that run the same Node as `child` does. They are not told by
 * their name, which depends on Node's version.
 */
export function workersOf({ child }: { readonly child: ChildProcess }): number[] {
  const node = executableOf(child.pid)
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  return node === undefined
    ? []
    : children
        .split(' ')
        .map(Number)
        .filter((id) => executableOf(id) === node)
}

/** Signals the first worker, or `id`. A worker that is missing is an error: id 0 would be everything that runs the tests. */
export function signalWorker(id: number | undefined, signal: NodeJS.Signals): void {
  if (id === undefined || !(id > 0)) throw new Error('there is no such worker')
  process.kill(id, signal)
}

function executableOf(id: number | undefined): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/exe`)
  } catch {
    // It has ended.
    return undefined
  }
}
