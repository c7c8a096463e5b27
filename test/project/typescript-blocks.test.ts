import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { complaintsOf } from '../support/compile.ts'
import { codeExamples } from './code-examples.ts'
import { blocks } from './documents.ts'
import { openPackageFolder } from './package-folder.ts'

const folder = await openPackageFolder()

/** What the documents use of packages that have no types of their own. */
const DECLARATIONS = `declare module 'express' {
  type Site = import('node:http').RequestListener & { use(listener: import('continuation-point/node').Begin): void }
  export default function express(): Site
}
`

it('the TypeScript of the documents, and of every @example, compiles against the package', async () => {
  const programs = [...blocks.filter(({ language }) => language === 'ts'), ...codeExamples]
  expect(programs.length).toBeGreaterThan(5 + codeExamples.length)
  await writeFile(join(folder, 'declarations.d.ts'), DECLARATIONS)
  const files = await Promise.all(
    programs.map(async ({ path, text }, index) => {
      const file = `${path.replaceAll(/[^a-z]/gi, '-')}-${index}.ts`
      await writeFile(join(folder, file), text)
      return file
    }),
  )
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'ES2023', lib: ['ES2023', 'DOM'], types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
  }
  const project = join(folder, 'tsconfig.json')
  await writeFile(project, JSON.stringify({ compilerOptions, files: [...files, 'declarations.d.ts'] }))
  expect(await complaintsOf(project)).toBe('')
}, 60_000)
