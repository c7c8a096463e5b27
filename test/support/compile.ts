import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** What the compiler says about the project of a tsconfig.json: nothing if all is well. */
export function complaintsOf(project: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', project], (error, stdout, stderr) =>
      resolve(error === null ? '' : `${stdout}${stderr}${error.message}`),
    )
  })
}
