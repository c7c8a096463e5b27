import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Wire tests open real sockets; a loaded machine may take its time. Nothing asserts a duration.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    reporters:
      env.CI_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: env.CI_REPORT }]],
  },
})
