import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { Reporter } from './test/support/reporter.ts'

/*
 * One process runs many test files, and loads the program once. These have a process each, since they look at the process
 * itself, keep it busy for long, start a browser, or need Node's own Request, Response and fetch: @hono/node-server, as
 * sites use it, replaces the first two, and undici, where it was loaded, gives the third its own dispatcher. Or they
 * replace a module that others may have loaded.
 */
const ALONE = [
  'test/**/*.browser.test.ts',
  'test/{fuzz,peers}/**/*.test.ts',
  'test/check/chromium/**/*.test.ts',
  'test/config/read-text-file.test.ts',
  'test/edge/{edge-exchange,conformance}.test.ts',
  'test/proxy/{leases,lingering}.test.ts',
  'test/proxy/internals/minor-collection.test.ts',
  'test/serve/{capacity,drain}.test.ts',
  'test/upstream/addresses.test.ts',
]

/** They try programs that they start, and take their time. */
const PROGRAMS = [
  'test/{attacks,lifecycle,privacy,first-hour}/**/*.test.ts',
  'test/{story,whole-story}.test.ts',
  'test/check/set-ups/**/*.test.ts',
  'test/conformance/real-servers.test.ts',
]

/** What `npm run test:quick` leaves out, to take less than a minute: other programs, the network of `check`, long waits. */
const SLOW = [
  'test/{conformance,deploy,examples}/**/*.test.ts',
  'test/**/*.property.test.ts',
  'test/check/live/**/*.test.ts',
  'test/cli/{check,main,pipes,serve,shown}*.test.ts',
  'test/edge/{body-copy,types}.test.ts',
  'test/front-ends/*.test.ts',
  'test/project/{code-examples,install,outside-names,package,pipelines,readme-commands}.test.ts',
  'test/serve/admin.test.ts',
  'test/upstream/{doubled-response,early-answer,pool,stalling}.test.ts',
]

/** A machine without results of earlier runs, as in CI, can't know them. The longest is first. */
const LONGEST = [
  'rehearsal/rehearse.browser',
  'conformance/real-servers',
  'check/set-ups/caddy-varnish-node',
  'check/set-ups/nginx',
  'first-hour/first-hour',
  'attacks/hostile-points',
  'attacks/unread-responses',
  'story',
  'check/set-ups/haproxy',
  'check/live/other-services',
  'attacks/tiny-lines',
  'check/set-ups/apache',
  'rehearsal/rehearse-command.browser',
  'cli/demo.browser',
  'cli/serve-reload',
  'attacks/enforced-memory',
  'lifecycle/shutdown',
  'check/chromium/verdicts.browser',
  'deploy/container',
  'project/package',
]

/**
 * The longest first, so that no processor is idle at the end; then those with a process of their own, which is used again
 * only for the next file in line.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place === -1 ? LONGEST.length + (project.name === 'alone' ? 0 : 1) : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

function not(globs: readonly string[]): readonly string[] {
  return globs.map((glob) => `!${glob}`)
}

export default defineConfig({
  test: {
    // Wire tests open real sockets; a loaded machine may take its time. Only attacks/enforced-memory asserts
    // durations, with room to spare.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    // More than there are processors, since many tests wait for a clock or for another process.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/support/end-programs.ts'],
    // Not `exclude`, which would replace that of the command line.
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          isolate: false,
          include: ['test/**/*.test.ts', ...not([...ALONE, ...PROGRAMS, ...SLOW])],
        },
      },
      {
        extends: true,
        test: { name: 'slow', isolate: false, include: [...SLOW, ...not([...ALONE, ...PROGRAMS])] },
      },
      {
        extends: true,
        // Attacks send thousands of requests to a program that they start first.
        test: { name: 'programs', isolate: false, include: PROGRAMS, testTimeout: 90_000 },
      },
      { extends: true, test: { name: 'alone', include: ALONE, testTimeout: 90_000 } },
    ],
    reporters:
      env.CI_REPORT === undefined
        ? [new Reporter()]
        : [new Reporter(), ['json', { outputFile: env.CI_REPORT }]],
  },
})
