import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { legalConfigs } from './support/legal-configs.ts'
import { renderConfig } from './support/rendered.ts'

const BINARY = '/usr/sbin/varnishd'

describe('varnish', () => {
  it.skipIf(!existsSync(BINARY) && process.env.CI === undefined).each(legalConfigs)(
    'compiles what is rendered: %s',
    async (_what, config) => {
      const folder = await mkdtemp(join(tmpdir(), 'varnish-'))
      const file = join(folder, 'continuation-point.vcl')
      await writeFile(file, renderConfig('varnish', 'route', config))
      const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
        execFile(
          BINARY,
          ['-j', 'none', '-C', '-f', file, '-n', folder],
          { maxBuffer: 10_000_000 },
          (error, _stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: stderr }),
        )
      })
      await rm(folder, { recursive: true, force: true })
      expect(code, output.slice(0, 2_000)).toBe(0)
    },
  )
})
