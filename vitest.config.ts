import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/*
 * One process runs many test files, and loads the program once. These have a process each, since they look at the process
 * itself, keep it busy for long, or start a browser.
 */
const ALONE =
  /\.browser\.test\.ts$|^(?:attacks|check\/(?:chromium|set-ups)|conformance\/real-servers|edge|first-hour|fuzz|lifecycle|peers|privacy|proxy|serve|story|whole-story)\b/

const together = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !ALONE.test(file))
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
    // More than there are processors, since many tests wait for a clock or for another process.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/support/end-programs.ts'],
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
