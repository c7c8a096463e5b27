import type { Finding } from '../../src/check/finding.ts'

/** What matters of a finding; a fix without data is a text. */
export type FindingSketch = Partial<Omit<Finding, 'fix'>> & { readonly fix?: Finding['fix'] | string }

/** A finding that failed at a point; a test says what matters to it. */
export function aFinding({ fix, ...finding }: FindingSketch = {}): Finding {
  const message = finding.message ?? 'it is refused'
  return {
    id: 'live/connect',
    outcome: 'fail',
    severity: 'error',
    subject: { point: 'https://www.example.com/service_cookie_transfer/' },
    message,
    fix: typeof fix === 'object' ? fix : { what: fix ?? 'listen there', lines: [] },
    evidence: {},
    location: undefined,
    because: undefined,
    topic: message,
    suppressed: undefined,
    ...finding,
  }
}
