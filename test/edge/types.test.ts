import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { top } from '../project/source-tree.ts'
import { complaintsOf } from '../support/compile.ts'
import { openFolder } from '../support/folder.ts'
import { isLeftToCi } from '../support/left-to-ci.ts'

const PROGRAM = `
import { type ConfigInput, type EdgeRecord, createEdgeApp } from 'continuation-point/edge'

const config: ConfigInput = { service: { url: 'https://cobrowse.example.net' }, points: [] }
const outcomes: EdgeRecord['outcome'][] = []
const app = await createEdgeApp(config, { onExchange: ({ outcome }) => void outcomes.push(outcome) })
export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) }
`

/** A program beside the package as it is installed: its built declarations, and no @types/node in its own view. */
const folder = openFolder()
beforeAll(async () => {
  await mkdir(join(folder, 'node_modules'))
  await symlink(top, join(folder, 'node_modules', 'continuation-point'), 'dir')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'program.ts'), PROGRAM)
})

it.skipIf(isLeftToCi).each([
  ['nodenext', 'nodenext', 'DOM'],
  ['esnext', 'bundler', 'WebWorker'],
])(
  'a program compiles without the types of Node (%s, %s, %s)',
  async (module, moduleResolution, runtimeLib) => {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'ES2023', lib: ['ES2023', runtimeLib] },
      ...{ strict: true, skipLibCheck: false, types: [], noEmit: true },
    }
    const project = join(folder, `tsconfig.${module}.json`)
    await writeFile(project, JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    expect(await complaintsOf(project)).toBe('')
  },
  60_000,
)
