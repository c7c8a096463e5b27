import { expect, it } from 'vitest'
import type { Finding } from '../../src/check/finding.ts'
import { advance } from '../../src/monitor/verdicts.ts'
import { renderWebhookBody } from '../../src/monitor/webhook-body.ts'
import { aFinding } from '../check/a-finding.ts'

const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

function bodyOf(...runs: readonly (readonly Finding[])[]) {
  const start = { verdicts: new Map(), changes: [] } as ReturnType<typeof advance>
  const { changes } = runs.reduce(({ verdicts }, findings) => advance(verdicts, findings, AT_MS), start)
  return JSON.parse(renderWebhookBody({ id: 'an-id', atMs: AT_MS, version: '1.2.3', changes, failing: 7 }))
}

it('says what changed, from what and to what, and what to do', () => {
  expect(bodyOf([aFinding({ outcome: 'pass' })], [aFinding({ message: 'it is refused' })])).toEqual({
    schemaVersion: 1,
    tool: { name: 'continuation-point', version: '1.2.3' },
    id: 'an-id',
    time: '2026-01-02T03:04:05.000Z',
    text: 'continuation-point: live/connect failed (error): https://www.example.com/service_cookie_transfer/',
    failing: 7,
    changes: [
      {
        rule: 'live/connect',
        subject: { point: 'https://www.example.com/service_cookie_transfer/' },
        from: 'pass',
        to: 'fail',
        severity: 'error',
        message: 'it is refused',
        fix: 'listen there',
        time: '2026-01-02T03:04:05.000Z',
      },
    ],
    leftOut: 0,
  })
})

it('reports a recovery', () => {
  const body = bodyOf([aFinding()], [aFinding({ outcome: 'pass', fix: undefined })])
  expect(body.text).toMatch(/^continuation-point: live\/connect recovered: https:/)
  expect(body.changes).toEqual([expect.objectContaining({ from: 'fail', to: 'pass' })])
  expect(body.changes[0]).not.toHaveProperty('fix')
})

it('says nothing of the evidence', () => {
  const body = bodyOf([aFinding({ evidence: { arrived: 'marked-evidence' } })])
  expect(JSON.stringify(body)).not.toContain('marked-evidence')
})

it('keeps responses of a point out of the text that chat services show', () => {
  const body = bodyOf([aFinding({ message: '<!channel> a page that says so' })])
  expect(body.text).not.toContain('<!channel>')
})

it('contains a hundred changes and counts the rest', () => {
  const findings = Array.from({ length: 250 }, (_, i) =>
    aFinding({
      subject: { point: `https://${i}.example.com/` },
      message: 'm'.repeat(5_000),
      fix: 'f'.repeat(5_000),
    }),
  )
  const body = bodyOf(findings)
  expect([body.changes.length, body.leftOut]).toEqual([100, 150])
  expect(body.text.split('\n')).toHaveLength(11)
  expect(body.text).toMatch(/\nand 240 more$/)
  expect(JSON.stringify(body).length).toBeLessThan(300_000)
})
