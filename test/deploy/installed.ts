import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFolderOfTest } from '../support/folder.ts'

/** Whether this machine has a command. On CI it counts as installed: what needs it fails there, rather than being skipped. */
export function isInstalled(command: string): boolean {
  return process.env.CI !== undefined || spawnSync('which', [command]).status === 0
}

/** What systemd has against the first of these units, except that the program is not installed here. */
export function verifyUnits(units: Readonly<Record<string, string>>): unknown {
  const folder = openFolderOfTest()
  for (const [name, text] of Object.entries(units)) {
    const runnable = text.replace(/^(Exec\w+)=\/usr\/bin\/continuation-point .*$/gm, '$1=/bin/true')
    writeFileSync(join(folder, name), runnable)
  }
  const [first = ''] = Object.keys(units)
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, first)], {
    encoding: 'utf8',
  })
  const complaints = stderr.split('\n').filter((line) => line.includes('continuation-point'))
  return status === 0 && complaints.length === 0 ? 'nothing' : { status, complaints }
}
