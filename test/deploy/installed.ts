import { spawnSync } from 'node:child_process'

/** Whether this machine has a command. On CI it counts as installed: what needs it fails there, rather than being skipped. */
export function isInstalled(command: string): boolean {
  return process.env.CI !== undefined || spawnSync('which', [command]).status === 0
}
