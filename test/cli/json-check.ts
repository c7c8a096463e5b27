import { run } from '../../src/cli/run.ts'
import { fakeIo } from './fake-io.ts'

export interface JsonCheck {
  readonly id: string
  readonly outcome: string
  readonly severity: string
  readonly subject: object
  readonly message: string
  readonly fix?: string
  readonly because?: string
}

/** What `check` finds, as its JSON says. */
export async function checkAsJson(words: readonly string[], files: Readonly<Record<string, string>>) {
  const io = fakeIo(files)
  const code = await run(['check', '--format', 'json', ...words], io)
  const { stdout, stderr } = io.written
  const report: {
    readonly mode?: string
    readonly exitCode?: number
    readonly checks: readonly JsonCheck[]
  } = stdout === '' ? { checks: [] } : JSON.parse(stdout)
  return {
    ...{ code, stdout, stderr, report },
    checks: report.checks,
    failures: report.checks.filter(({ outcome }) => outcome === 'fail'),
  }
}
