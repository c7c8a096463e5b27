import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '../sandbox/support/ask.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { endAfterTest } from '../support/open-for-test.ts'
import { listening, startProgram } from '../support/program.ts'
import { serveConfig } from '../support/serve-config.ts'
import { top } from './source-tree.ts'

it('a build with a homepage links pages of errors to their help', async () => {
  const folder = openFolderOfTest()
  for (const path of ['src', 'bundle.mjs']) cpSync(join(top, path), join(folder, path), { recursive: true })
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'))
  const packageJson = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...packageJson, homepage: 'https://code.example.com/blob/main/' }),
  )
  writeFileSync(join(folder, 'config.json'), serveConfig('http://127.0.0.1:9'))
  execFileSync(process.execPath, ['bundle.mjs'], { cwd: folder })
  const program = endAfterTest(startProgram(['serve'], { cwd: folder, script: join(folder, 'dist/main.js') }))
  const { href } = await listening(program)
  const page = await ask(href, '/elsewhere', { headers: { Host: 'www.example.com', Accept: 'text/html' } })
  const help = 'https://code.example.com/blob/main/docs/troubleshooting.md#404'
  expect(page.text).toContain(`<a href="${help}">${help}</a>`)
}, 60_000)
