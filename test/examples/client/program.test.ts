import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPackageFolder } from '../../project/package-folder.ts'
import { openStandIn } from '../../sandbox/support/stand-in.ts'
import { complaintsOf } from '../../support/compile.ts'
import { startProgram } from '../../support/program.ts'

const { sandbox } = await openStandIn()
const folder = await openPackageFolder()

it('a strict program against the package compiles, also with its declarations checked, and runs', async () => {
  for (const file of ['program.ts', 'tsconfig.json'])
    cpSync(join(import.meta.dirname, file), join(folder, file))
  expect(await complaintsOf(join(folder, 'tsconfig.json'))).toBe('')
  const env = { BASE_URL: `${sandbox.url}/v2`, API_KEY: sandbox.account.apiKey }
  const program = startProgram([], { script: join(folder, 'out/program.js'), cwd: folder, env })
  expect([await program.ended(), program.stderr()]).toEqual([0, ''])
}, 60_000)
