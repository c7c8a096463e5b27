import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Wire tests open real sockets; a loaded machine may take its time. Nothing asserts a duration.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    // Many tests wait for a clock or a process; vitest would leave one processor of two alone.
    maxWorkers: Math.max(2, availableParallelism()),
    reporters:
      env.CI_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: env.CI_REPORT }]],
  },
})
