import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { FAILURES } from '../../src/forward/failure.ts'
import { startMetrics } from '../../src/serve/metrics.ts'
import { renderMetrics } from '../../src/serve/metrics-text.ts'
import { aRecord, FACTS, NO_LEVELS } from '../serve/a-record.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { isInstalled } from './installed.ts'
import { deploy } from './manifests.ts'

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface AlertTest {
  readonly alertname: string
  readonly exp_alerts: readonly unknown[]
}

const groups: readonly { readonly rules: readonly Rule[] }[] = parse(read('prometheus/rules.yaml')).groups
const rules = groups.flatMap((group) => group.rules)
const alertTests: readonly AlertTest[] = parse(read('prometheus/rules.test.yaml')).tests.flatMap(
  (test: { alert_rule_test: readonly AlertTest[] }) => test.alert_rule_test,
)
const panels: readonly Panel[] = JSON.parse(read('grafana/dashboard.json')).panels

const queries = [
  ...rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `panel “${title}”`, expr }))),
]
const exposition = [...expose()].join('\n')
const samples = new Set(exposition.match(/^\w+(?=[{ ])/gm))
const labels = new Set(exposition.match(/\w+(?==")/g))

it.each(queries)('$where reads what the program writes: metrics, labels, results, failures', ({ expr }) => {
  const plain = expr.replace(/\bby \([^)]*\)|\{[^}]*\}/g, '')
  const named = plain.match(/\b(?:http|continuation_point|process)_\w+/g) ?? []
  expect([...named, ...(expr.match(/\bup\b/g) ?? [])].length).toBeGreaterThan(0)
  expect(named.filter((name) => !samples.has(name))).toEqual([])

  const matched = [...expr.matchAll(/[{,](\w+)(?:=~|!=|=)"/g)].map(([, name = '']) => name)
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))
  const unknown = [...matched, ...grouped].filter((name) => !labels.has(name) && !FROM_PROMETHEUS.has(name))
  expect(unknown).toEqual([])

  for (const [, pattern = ''] of expr.matchAll(/\bresult=~?"([^"]+)"/g))
    for (const word of pattern.split('|')) expect(exposition).toContain(`result="${word}"`)

  const kinds = Object.keys(FAILURES)
  for (const [, patterns = ''] of expr.matchAll(/(?:error_type|reason)=~?"([^"]+)"/g))
    for (const pattern of patterns.split('|'))
      expect(
        kinds.some((kind) => new RegExp(`^(?:${pattern})$`).test(kind)),
        pattern,
      ).toBe(true)
})

describe('rules', () => {
  it('work with any job name', () => {
    expect(rules.filter(({ expr }) => /\bjob=/.test(expr))).toEqual([])
  })

  it.each(rules)(
    '$alert has a severity and a summary',
    ({ labels: { severity }, annotations: { summary } }) => {
      expect(['critical', 'warning']).toContain(severity)
      expect(summary).toMatch(/\.$/)
    },
  )
})

describe('runbooks', () => {
  it.each(rules)('$alert names the heading of a document that says what to do', ({ annotations }) => {
    const [path = '', heading = ''] = annotations.runbook.split('#')
    const text = readFileSync(join(deploy, '..', path), 'utf8')
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    expect(headings).toContain(heading)
  })
})

it.each(rules)('the tests of the rules see $alert fire, and stay silent', ({ alert }) => {
  const tests = alertTests.filter(({ alertname }) => alertname === alert)
  expect(new Set(tests.map(({ exp_alerts }) => exp_alerts.length > 0))).toEqual(new Set([true, false]))
})

describe.runIf(isInstalled('promtool'))('promtool', () => {
  it('accepts the rules', () => {
    const said = execFileSync('promtool', ['check', 'rules', join(deploy, 'prometheus/rules.yaml')], {
      encoding: 'utf8',
    })
    expect(said).toContain(`${rules.length} rules found`)
  })

  it('sees each alert fire when it should, and not before', () => {
    const tests = join(deploy, 'prometheus/rules.test.yaml')
    expect(execFileSync('promtool', ['test', 'rules', tests], { encoding: 'utf8' })).toContain('SUCCESS')
  })

  it('can read every query of the dashboard', () => {
    const file = join(openFolderOfTest(), 'rules.json')
    const records = queries.map(({ expr }, i) => ({
      record: `query_${i}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: records }] }))
    const said = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    expect(said).toContain(`${queries.length} rules found`)
  })
})

/** What `/metrics` says after one exchange that failed and one that was refused. */
function expose(): Iterable<string> {
  const metrics = startMetrics()
  const record = aRecord({ status: 502, outcome: 'upstream-refused' })
  metrics.observe(record)
  metrics.observe({ ...record, outcome: 'overloaded' })
  const snapshot = metrics.snapshot({ ...NO_LEVELS, fileLimit: 1 }, 0)
  const points = ['https://www.example.com/service_cookie_transfer/']
  return renderMetrics(snapshot, { ...FACTS, points })
}

function read(path: string): string {
  return readFileSync(join(deploy, path), 'utf8')
}

/** Labels that no program writes: those of the scrape, and `point`, which a request without a point leaves out. */
const FROM_PROMETHEUS = new Set(['job', 'instance', 'point'])
