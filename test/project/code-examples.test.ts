import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { startProgram } from '../support/program.ts'
import { codeExamples } from './code-examples.ts'
import { openPackageFolder } from './package-folder.ts'
import { top } from './source-tree.ts'

const entries = Object.values(packageJson.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default.replace(/^\.\/dist\/(.*)\.js$/, '$1')],
)

it.each(entries)('every public function and class of %s has an @example', async (entry) => {
  const values: readonly unknown[] = Object.values(await import(join(top, 'src', `${entry}.ts`)))
  const named = values.map((value) => (typeof value === 'function' ? value.name : 'no function'))
  expect(named).not.toEqual([])
  const described = new Set(codeExamples.map(({ name }) => name))
  expect(named.filter((name) => !described.has(name))).toEqual([])
})

describe('every @example runs against the stand-in', async () => {
  const { sandbox } = await openStandIn()
  const folder = await openPackageFolder()
  const config = {
    service: { url: sandbox.url },
    widgetKey: 'env:WIDGET_KEY',
    points: ['https://www.example.com/service_cookie_transfer/'],
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  const env = { API_KEY: 'demo-api-key', WIDGET_KEY: 'demo-widget-key' }

  it.each(codeExamples.map(({ path, text }, index) => ({ path, text, file: join(folder, `${index}.mjs`) })))(
    '$path',
    async ({ text, file }) => {
      const here = text
        .replaceAll('https://cobrowse.example.net', sandbox.url)
        .replaceAll(/listen\(\d+\)|port: \d+/g, (port) => port.replace(/\d+/, '0'))
      await writeFile(file, `${here}\nconsole.log('the end')\nprocess.exit(0)\n`)
      const program = startProgram([], { script: file, cwd: folder, env })
      expect(await program.ended(), program.stderr()).toBe(0)
      expect(program.stdout()).toMatch(/the end\n$/)
    },
  )
})
