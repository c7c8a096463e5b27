import type { Finding } from '../../src/check/finding.ts'

/** A finding that failed at a point; a test says what matters to it. */
export function aFinding(finding: Partial<Finding> = {}): Finding {
  const message = finding.message ?? 'it is refused'
  return {
    id: 'live/connect',
    outcome: 'fail',
    severity: 'error',
    subject: { point: 'https://www.example.com/service_cookie_transfer/' },
    message,
    fix: 'listen there',
    evidence: {},
    location: undefined,
    because: undefined,
    corrected: undefined,
    topic: message,
    suppressed: undefined,
    ...finding,
  }
}
