import { spawnSync } from 'node:child_process'

/** Whether this machine has a command. What needs one that is missing is not run, and `deploy/README.md` says so. */
export function isInstalled(command: string): boolean {
  return spawnSync('which', [command]).status === 0
}
