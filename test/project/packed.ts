/** The package as users have it: packed from a clone, and installed into an empty folder. */

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { npmEnv } from '../support/npm-env.ts'
import { tracked } from './documents.ts'
import { top } from './source-tree.ts'

export type Packed = ReturnType<typeof makePackingClone>

/** A clone whose packages are those of this one; nothing is packed or installed yet. */
export function makePackingClone() {
  const home = mkdtempSync(join(tmpdir(), 'packed-'))
  const clone = join(home, 'clone')
  for (const path of tracked.filter((each) => !/^(?:test|bench|\.ci)\/|^$/.test(each))) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(top, path), join(clone, path))
  }
  symlinkSync(join(top, 'node_modules'), join(clone, 'node_modules'))
  const prefix = join(home, 'global')
  const env = { ...npmEnv(), npm_config_prefix: prefix, npm_config_fund: 'false' }
  return {
    /** A copy of the working tree, in which lines of the README are run. */
    clone,
    /** Where the package and its command are installed. */
    package: join(prefix, 'lib/node_modules/continuation-point'),
    command: join(prefix, 'bin/continuation-point'),
    /** Runs a line in a shell in the clone; `npm install --global` goes to a folder of its own. */
    run: (line: string) =>
      new Promise<string>((resolve, reject) => {
        execFile('/bin/sh', ['-c', line], { cwd: clone, env }, (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`${line}\n${stdout}${stderr}`)),
        )
      }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
