import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { openFolderOfTest } from '../support/folder.ts'
import { runProgram } from '../support/program.ts'
import { deploy } from './manifests.ts'

const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

// Nothing is mounted here, as where it was forgotten.
it.each([
  ['Compose', parse(read('compose.yaml')).configs.points.content, '/run/secrets/widget_key'],
  ['Kubernetes', read('kubernetes/base/config.json'), '/run/secrets/continuation-point/widget_key'],
])(
  'with the config for %s and no key, serve ends and says which file it misses',
  async (_where, text, path) => {
    const folder = openFolderOfTest()
    writeFileSync(join(folder, 'config.json'), text)
    const { code, stdout, stderr } = await runProgram(['serve'], { cwd: folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      new RegExp(`^config\\.json:\\d+:\\d+ .*the file ${path} can't be read: it does not exist`, 'm'),
    )
  },
)
