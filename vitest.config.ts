import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/*
 * Tests of functions, and of sockets that the test itself closes, leave nothing behind: one process runs many of these files and
 * loads the program once. The others have a process each.
 */
const TOGETHER =
  /^(?:adopt|api|check|compliance|config|forward|http|monitor|points|regressions|render|sandbox|scopes|site|upstream|webhooks)\//
const ALONE = /\.browser\.test\.ts$|^check\/(?:chromium|set-ups)\//

const together = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && TOGETHER.test(file) && !ALONE.test(file))
  .map((file) => `test/${file}`)

/** Files with a process of their own first, since they take longest; a process is used again only for the next file in line. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isAlone = ({ project }: TestSpecification) => project.name === 'alone'
    return [...sorted.filter(isAlone), ...sorted.filter((file) => !isAlone(file))]
  }
}

export default defineConfig({
  test: {
    // Wire tests open real sockets; a loaded machine may take its time. Only attacks/enforced-memory asserts
    // durations, with room to spare.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    // One more than there are processors, since many tests wait for a clock or for another process.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'together', isolate: false, include: together },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: together,
        },
      },
    ],
    reporters:
      env.CI_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: env.CI_REPORT }]],
  },
})
