import { spawnSync } from 'node:child_process'
import { cpSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { everyBlock } from '../project/documents.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { EVERY_VALUE, withConfig, withPolicy } from './chart-values.ts'
import { isInstalled } from './installed.ts'
import { CHART, deploy, type Manifest, readChart, readValues, toManifests } from './manifests.ts'

/* What the chart's other tests fill in by themselves is what Helm makes of it. */
describe.runIf(isInstalled('helm'))('Helm', () => {
  it.each<readonly [what: string, values: Record<string, unknown>]>([
    ['its own values', {}],
    ['every value that is empty by default', EVERY_VALUE],
    ['another config', withConfig({ backTransfer: true })],
    ['no network policy', withPolicy({ enabled: false })],
  ])('renders %s as the tests do', (_what, values) => {
    const { code, stdout, stderr } = helm('template', values)
    expect([code, stderr]).toEqual([0, ''])
    expect(sorted(toManifests(stdout))).toEqual(sorted(readChart({ ...readValues(), ...values })))
  })

  it('accepts the values that the document shows', () => {
    const shown = everyBlock.filter(
      ({ path, language }) => path === 'deploy/README.md' && language === 'yaml',
    )
    expect(shown.map(({ text }) => helm('template', parse(text)))).toMatchObject([{ code: 0, stderr: '' }])
  })

  it('finds nothing wrong with the chart', () => {
    expect(helm('lint', {}).stdout).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  // What its schema refuses and where its templates fail: test/deploy/kubernetes.test.ts has the others.
  it.each<readonly [what: string, values: Record<string, unknown>, said: RegExp]>([
    ['a key in the config', withConfig({ widgetKey: 'a-key' }), /config\.widgetKey/],
    ['no name of the Secret', { secretName: '' }, /secretName/],
    ['a drain past the grace period', withConfig({ timeouts: { drain: '35s' } }), /raise termination/],
    ['a service at a private address', withConfig({ service: { url: 'https://10.1.2.3:8443' } }), BLOCKED],
    ['a service by its short name', withConfig({ service: { url: 'https://cobrowse' } }), BLOCKED],
  ])('refuses %s, and says so', (_what, values, said) => {
    const { code, stdout, stderr } = helm('template', values)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(said)
    // It says what templates refuse, but fails only for what the schema does.
    const linted = helm('lint', values)
    expect(linted.stdout + linted.stderr).toMatch(said)
  })

  it('takes a service in the cluster that its policy allows', () => {
    const extraEgress = [{ to: [{ namespaceSelector: {} }], ports: [{ port: 443 }] }]
    const { code, stdout } = helm('template', {
      ...withConfig({ service: { url: 'https://cobrowse.tools.svc' } }),
      ...withPolicy({ extraEgress }),
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining('https://cobrowse.tools.svc')])
  })

  it('can render the notes', () => {
    const copy = openFolderOfTest()
    cpSync(join(deploy, CHART), copy, { recursive: true })
    // Helm prints them only when it installs, for which it needs a cluster.
    renameSync(join(copy, 'templates/NOTES.txt'), join(copy, 'templates/notes.yaml'))
    const { stdout } = run(['template', 'points', copy, '--namespace', 'shop', '--debug'])
    expect(stdout).toContain("Send the points' paths to http://points.shop with")
    expect(stdout).toContain(
      'kubectl create secret generic continuation-point --namespace shop --from-file=widget_key=<file>',
    )
    expect(stdout).not.toMatch(/\{\{|<no value>/)
  })
})

const BLOCKED = /the network policy blocks: allow it in networkPolicy\.extraEgress/

function helm(command: 'template' | 'lint', values: Record<string, unknown>) {
  const file = join(openFolderOfTest(), 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const name = command === 'template' ? ['points', '--namespace', 'shop'] : []
  return run([command, ...name, join(deploy, CHART), '--values', file])
}

function run(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('helm', words, { encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

/** Helm has an order of its own, by kind. */
function sorted(manifests: readonly Manifest[]): Manifest[] {
  return manifests.toSorted((a, b) => a.kind.localeCompare(b.kind))
}
