import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A value, and the type that it must have without a field more: its name in a module. */
export interface Typed {
  readonly value: unknown
  readonly type: string
  /** The path of its `.d.ts`, without that ending. */
  readonly module: string
}

/** What the compiler says about values that were read from files of another format. */
export function toTypeFaults(typed: readonly Typed[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'continuation-point-types-'))
  const lines = typed.map(
    ({ value, type, module }, i) =>
      `import type { ${type} as Type${i} } from '${module}'\nexport const value${i}: Type${i} = ${JSON.stringify(value)}\n`,
  )
  writeFileSync(join(folder, 'values.ts'), lines.join(''))
  const tsc = spawnSync(compiler, [...FLAGS, 'values.ts'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return tsc.stdout
}

const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))
const FLAGS = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'preserve',
  '--target',
  'es2022',
]
