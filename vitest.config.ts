import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Wire tests open real sockets; a loaded machine may take its time. Nothing asserts a duration.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
  },
})
