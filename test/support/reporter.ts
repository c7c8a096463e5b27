import { argv } from 'node:process'
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node'

/** What follows `vitest run`. */
const words = argv.slice(3)

/** Says at the start of a full run how long it takes, and needs one line to say that nothing was found. */
export class Reporter extends DefaultReporter {
  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    if (words.length === 0)
      this.log('All tests: about 6 minutes on two processors; npm run test:quick takes one.\n')
    super.onTestRunStart(specifications)
  }

  override onTestRunEnd(modules: readonly TestModule[], ...end: End): void {
    if (modules.length > 0 || end[0].length > 0) super.onTestRunEnd(modules, ...end)
    else this.error(`No test file matches ${words.join(' ')}`)
  }
}

/** Errors outside of tests, and the reason. */
type End = Parameters<DefaultReporter['onTestRunEnd']> extends [unknown, ...infer Rest] ? Rest : never
