import { writeFileSync } from 'node:fs'
import { argv, env } from 'node:process'
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node'

/** What follows `vitest run`. */
const words = argv.slice(3)

/**
 * Says at the start of a full run how long it takes, and needs one line to say that nothing was found. In CI it keeps the
 * errors outside of tests beside Vitest's own report, which knows none of them.
 */
export class Reporter extends DefaultReporter {
  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    if (words.length === 0)
      this.log('All tests: about 6 minutes on two processors; npm run test:quick takes one.\n')
    super.onTestRunStart(specifications)
  }

  override onTestRunEnd(modules: readonly TestModule[], ...end: End): void {
    if (env.CI_REPORT !== undefined) {
      const errors = end[0].map(({ VITEST_TEST_PATH: file, stack, message }) => ({
        file,
        text: stack ?? message,
      }))
      writeFileSync(`${env.CI_REPORT}.errors`, JSON.stringify(errors))
    }
    if (modules.length > 0 || end[0].length > 0) super.onTestRunEnd(modules, ...end)
    else this.error(`No test file matches ${words.join(' ')}`)
  }
}

/** Errors outside of tests, and the reason. */
type End = Parameters<DefaultReporter['onTestRunEnd']> extends [unknown, ...infer Rest] ? Rest : never
