import { fakeIo, runCommand } from './fake-io.ts'

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
  const ran = await runCommand(['check', '--format', 'json', ...words], fakeIo(files))
  const report: {
    readonly mode?: string
    readonly exitCode?: number
    readonly checks: readonly JsonCheck[]
  } = ran.stdout === '' ? { checks: [] } : JSON.parse(ran.stdout)
  return {
    ...ran,
    report,
    checks: report.checks,
    failures: report.checks.filter(({ outcome }) => outcome === 'fail'),
  }
}
