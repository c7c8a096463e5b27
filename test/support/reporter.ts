import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { argv, env } from 'node:process'
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node'
import { isLeftToCi } from './left-to-ci.ts'

/** What follows `vitest run`. */
const words = argv.slice(3)

/**
 * Says at the start of a full run how long it takes, and at its end how many tests were skipped and what was missing for
 * them. In CI it keeps the errors outside of tests beside Vitest's own report, which knows none of them.
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
    if (modules.length === 0 && end[0].length === 0)
      return this.error(`No test file matches ${words.join(' ')}`)
    super.onTestRunEnd(modules, ...end)
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]).length
    if (skipped === 0) return
    const missing = [...PROGRAMS.filter(isMissing), ...PATHS.filter((name) => env[name] === undefined)]
    const left = isLeftToCi
      ? ' Some are left to CI (CI=true): packages, images, pipelines, other proxies.'
      : ''
    this.log(`Tests skipped: ${skipped}. Missing on this machine: ${missing.join(', ') || 'nothing'}.${left}`)
  }
}

/** What tests start, as Debian names the programs. */
const PROGRAMS = [
  ...[
    'chromium',
    'nginx',
    'apache2',
    'haproxy',
    'caddy',
    'varnishd',
    'gunicorn',
    'php',
    'python3',
    'promtool',
    'javac',
  ],
  'systemd-analyze',
]
/** Variables that say where larger packages are (test/README.md). */
const PATHS = ['WORKERD', 'FRAMEWORKS', 'SCHEMAS']

function isMissing(program: string): boolean {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return !folders.some((folder) => existsSync(join(folder, program)))
}

/** Errors outside of tests, and the reason. */
type End = Parameters<DefaultReporter['onTestRunEnd']> extends [unknown, ...infer Rest] ? Rest : never
