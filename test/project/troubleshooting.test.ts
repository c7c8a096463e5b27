import { describe, expect, it } from 'vitest'
import { renderRule } from '../../src/check/explain.ts'
import { helpFor } from '../../src/check/help.ts'
import { rules } from '../../src/check/rules/index.ts'
import { toAnswer } from '../../src/forward/answer.ts'
import { FAILURES, type FailureKind } from '../../src/forward/failure.ts'
import { inspectRequest } from '../../src/sandbox/continuation/verification.ts'
import { renderVerificationPage } from '../../src/sandbox/continuation/verification-page.ts'
import { demoAccount } from '../../src/sandbox/state/company.ts'
import { headingAnchors, textOf } from './documents.ts'

const page = textOf('docs/troubleshooting.md')
const anchors = headingAnchors(page)

describe('docs/troubleshooting.md', () => {
  it.each(Object.keys(FAILURES) as FailureKind[])('has the heading that our response %s names', (kind) => {
    const asker = { method: 'GET', accept: [], pointRoot: undefined }
    const { help } = JSON.parse(toAnswer(kind, 'id', asker).body) as { readonly help: string }
    const [file, anchor = ''] = help.split('#')
    expect(file).toBe('docs/troubleshooting.md')
    expect(anchors).toContain(anchor)
  })

  it.each(rules.filter(({ id }) => /^(?:live|page|account|cookie)\//.test(id)))(
    'has the heading that check --explain names for $id',
    (rule) => {
      const help = helpFor(rule.id)
      expect(anchors).toContain(help?.split('#')[1])
      expect(renderRule(rule)).toContain(`\nSee\n  ${help}\n`)
    },
  )

  it('has the headings that the boxes of the verification page name', async () => {
    const arrival = { method: 'GET', target: '/', fields: [], body: { octets: 0, sha256: '' } }
    const inspected = inspectRequest(arrival, demoAccount())
    const { text } = await renderVerificationPage(inspected, '/service_cookie_transfer/')
    const named = [...text.matchAll(/docs\/troubleshooting\.md#([\w-]+)/g)].map(([, anchor]) => anchor)
    expect(named).toHaveLength(inspected.checks.length)
    expect(named.filter((anchor) => !anchors.has(anchor ?? ''))).toEqual([])
  })
})
