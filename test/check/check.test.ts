import { describe, expect, it } from 'vitest'
import { check, type Selection } from '../../src/check/check.ts'
import type { Finding } from '../../src/check/finding.ts'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { fail, inconclusive, pass, type Rule, type Ruling } from '../../src/check/rule.ts'
import { rules } from '../../src/check/rules/index.ts'
import { eachPoint, onSetting } from '../../src/check/subjects.ts'
import { chooseExitCode, type FailOn, summarize } from '../../src/check/summary.ts'
import { matchesWildcard } from '../../src/check/suppression.ts'
import { aConfig, type Given, prefix } from './a-config.ts'
import { aFinding } from './a-finding.ts'
import { checkGiven } from './check-given.ts'

const www = `https://www.example.com${prefix}`
const plain = `http://www.example.com${prefix}`

it.each([
  [{ only: ['url/plain-http'] }, ['url/plain-http']],
  [{ only: ['url/plain-http', 'url/prefix'], skip: ['url/prefix'] }, ['url/plain-http']],
  [{ skip: rules.map(({ id }) => id) }, []],
])('selection %j runs %j', (selection, ids) => {
  expect(checkGiven({ points: [plain] }, selection).findings.map(({ id }) => id)).toEqual(ids)
})

it('cookies that are sent alike are judged as one, so that n of them at n points are no n × n', () => {
  const names = [...'abc'].map((name) => ({ name }))
  const { cookies } = gatherOfflineFacts(aConfig({ points: [www], cookies: [...names, { path: '/shop' }] }))
  expect(new Set(cookies.map(({ carriage }) => carriage)).size).toBe(2)
})

describe('a rule and its parents', () => {
  const parent = aRule({ id: 'a/parent', evaluate: eachPoint(() => fail('no', 'yes')) })
  const child = aRule({ id: 'a/child', needs: { rules: ['a/parent'] }, evaluate: eachPoint(() => pass) })
  const grandchild = aRule({
    id: 'a/grandchild',
    needs: { rules: ['a/child'] },
    evaluate: eachPoint(() => pass),
  })
  const crashing = aRule({
    id: 'a/crashing',
    evaluate: () => {
      throw new TypeError(`secret ${www}`)
    },
  })

  it('skips every rule that depends on a failure, naming the root', () => {
    const { findings } = runRules([parent, child, grandchild])
    expect(findings.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['fail', 'no'],
      ['skipped', 'because a/parent failed'],
      ['skipped', 'because a/parent failed'],
    ])
  })

  it('skips only on the subject that failed', () => {
    const picky = aRule({
      id: 'a/parent',
      evaluate: eachPoint(({ shown }) => (shown === www ? pass : fail('no', 'yes'))),
    })
    const { findings } = runRules([picky, child])
    expect(findings.map(({ outcome }) => outcome)).toEqual(['pass', 'pass'])
  })

  it('runs the others when one crashes, and does not show the data that crashed it', () => {
    const { findings } = runRules([crashing, child])
    expect(findings.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['a/crashing', 'crashed'],
      ['a/child', 'pass'],
    ])
    expect(findings[0]?.message).not.toContain('secret')
    expect(chooseExitCode(findings, 'error')).toBe(3)
    expect(summarize(findings)).toMatchObject({ inconclusive: 1, pass: 1 })
  })
})

describe('what a rule needs', () => {
  const id = 'a/parent'
  const unclear = aRule({ id, evaluate: eachPoint(() => inconclusive('who knows')) })
  const failing = aRule({ id, evaluate: eachPoint(() => fail('no', 'yes')) })
  const child = aRule({ id: 'a/child', needs: { rules: [id] }, evaluate: eachPoint(() => pass) })

  it('leaves a rule inconclusive if one that it needs is, and names the root', () => {
    expect(runRules([unclear, child]).findings).toMatchObject([
      { id, outcome: 'inconclusive', because: undefined },
      { id: 'a/child', outcome: 'inconclusive', message: 'who knows', because: id },
    ])
  })

  it('is run even if it was not selected', () => {
    const { findings } = runRules([failing, child], { only: ['a/child'] })
    expect(findings).toMatchObject([{ id: 'a/child', outcome: 'skipped', because: id }])
  })

  it.each<[string, Partial<Selection>]>([
    ['by --only', { only: ['a/child'] }],
    ['by --skip', { skip: [id] }],
  ])('gives its message to the rule that needs it if it was left out %s', (_how, selection) => {
    const { findings, causes } = runRules([failing, child], selection)
    const message = 'a/parent was left out, but it fails: no'
    expect(findings).toMatchObject([{ id: 'a/child', outcome: 'skipped', message }])
    expect(causes.map((cause) => cause.findings)).toEqual([findings])
    expect(chooseExitCode(findings, 'error')).toBe(3)
  })

  it('has its message only in its own finding otherwise', () => {
    const { causes } = runRules([failing, child])
    expect(causes.map((cause) => cause.findings.map((each) => each.id))).toEqual([[id]])
  })

  it('is run before, whatever the order of the list', () => {
    expect(runRules([child, failing]).findings.map((each) => [each.id, each.outcome])).toEqual([
      ['a/child', 'skipped'],
      [id, 'fail'],
    ])
  })

  it('does not stop others if it fails more mildly than the rule', () => {
    const mild = aRule({ id, evaluate: eachPoint(() => ({ ...fail('soon', 'renew'), severity: 'warning' })) })
    expect(runRules([mild, child]).findings.map(({ outcome }) => outcome)).toEqual(['fail', 'pass'])
  })

  it('may be a part of the config', () => {
    const lost = aRule({ needs: { facts: ['pages'] }, evaluate: eachPoint(() => fail('no', 'yes')) })
    expect(runRules([lost]).findings).toMatchObject([{ outcome: 'skipped', message: 'no pages are given' }])
  })

  it('is not judged where it is missing', () => {
    let judged = 0
    const counting = aRule({
      needs: { rules: [id] },
      evaluate: eachPoint(() => {
        judged += 1
        return pass
      }),
    })
    runRules([failing, counting])
    expect(judged).toBe(0)
  })

  it('consists of existing rules, without a cycle', () => {
    const order: string[] = []
    const visit = (ruleId: string, path: readonly string[]) => {
      expect(path).not.toContain(ruleId)
      const rule = rules.find((each) => each.id === ruleId)
      if (rule === undefined) throw new Error(`${path.at(-1)} names ${ruleId}`)
      const { needs = {}, saidBy = [] } = rule
      const named = [...(needs.rules ?? []), ...(needs.comparison ?? []), ...saidBy]
      for (const next of named) visit(next, [...path, ruleId])
      order.push(ruleId)
    }
    for (const rule of rules) visit(rule.id, [])
    expect(order.length).toBeGreaterThan(rules.length)
  })
})

describe('the same fault, reported by a more precise rule', () => {
  const onSettingOf = (ruling: Ruling) => () => [onSetting('cookie_transfer_enabled', ruling, undefined)]
  const sayer = aRule({ id: 'a/sayer', evaluate: onSettingOf(fail('it is off', 'switch it on')) })
  const quiet = aRule({ id: 'a/sayer', evaluate: onSettingOf(pass) })
  const echo = (ruling: Ruling) =>
    aRule({ id: 'a/echo', saidBy: ['a/sayer'], evaluate: onPointsUnder('cookie_transfer_enabled', ruling) })
  const onPointsUnder =
    (setting: string, ruling: Ruling): Rule['evaluate'] =>
    (facts) =>
      eachPoint(() => ruling)(facts).map((each) => ({
        ...each,
        settings: [{ subject: { setting }, location: undefined }],
      }))
  const elsewhere = aRule({
    ...echo(fail('no', 'yes')),
    evaluate: onPointsUnder('cookie_transfer_enabled of the account of b', fail('no', 'yes')),
  })

  it.each([
    ['is skipped where that one failed', [sayer, echo(fail('no', 'yes'))], {}, 'skipped'],
    ['fails where that one passed', [quiet, echo(fail('no', 'yes'))], {}, 'fail'],
    ['fails where that one is left out', [sayer, echo(fail('no', 'yes'))], { skip: ['a/sayer'] }, 'fail'],
    ['fails where that one failed for another account', [sayer, elsewhere], {}, 'fail'],
    ['passes whatever that one says', [sayer, echo(pass)], {}, 'pass'],
  ] as const)('%s', (_what, list, selection, outcome) => {
    const { findings } = runRules(list, selection)
    expect(findings.find(({ id }) => id === 'a/echo')?.outcome).toBe(outcome)
  })
})

describe('suppressions', () => {
  it('keep the finding, with the reason, and are counted separately', () => {
    const { findings } = checkGiven({
      points: [plain],
      suppress: [{ rule: 'url/plain-http', reason: 'intranet' }],
    })
    const finding = findings.find(({ id }) => id === 'url/plain-http')
    expect(finding).toMatchObject({ outcome: 'fail', suppressed: { reason: 'intranet' } })
    expect(summarize(findings)).toMatchObject({ warning: 0, suppressed: 1 })
    expect(chooseExitCode(findings, 'warning')).toBe(0)
  })

  it('are not called unused when their rule did not run', () => {
    const ids = ['url/plain-http', 'live/cached', 'account/url-stale']
    const given = { points: [www], suppress: ids.map((rule) => ({ rule })) }
    const { findings } = checkGiven(given, { skip: ids.slice(0, 1) })
    expect(findings.filter(({ id }) => id === 'config/unused-suppression')).toMatchObject(
      ids.map((id) => ({ outcome: 'skipped', message: `${id} did not run` })),
    )
  })

  it.each([
    ['abc', 'abc', true],
    ['abc', 'ab', false],
    ['abc', '*', true],
    ['abc', 'a*c', true],
    ['abc', 'a*b', false],
    ['aa', 'a*a*a', false],
    ['http://a/b/c', 'http://*/c', true],
    ['abcabc', '*bc*abc', true],
    ['', '*', true],
    ['a.c', 'a?c', false],
  ])('%j matches %j: %s', (text, pattern, expected) => {
    expect(matchesWildcard(text, pattern)).toBe(expected)
  })
})

describe('exit code', () => {
  const error: Given = { points: [www.slice(0, -1)] }
  const warning: Given = { points: [plain] }
  it.each([
    [error, 'error', 1],
    [error, 'never', 0],
    [warning, 'error', 0],
    [warning, 'warning', 1],
    [{ points: [www] }, 'warning', 0],
  ] as const)('of %j with --fail-on %s is %i', (given, failOn, code) => {
    expect(chooseExitCode(checkGiven(given).findings, failOn)).toBe(code)
  })

  it.each([
    [['inconclusive', 'inconclusive'], 3],
    [['inconclusive', 'skipped'], 3],
    [['inconclusive', 'pass'], 0],
    [['skipped', 'skipped'], 0],
    [['inconclusive', 'fail'], 1],
  ] as const)('of live checks that are %j is %i', (outcomes, code) => {
    const findings = outcomes.map((outcome, index) => aFinding({ id: `live/${index}`, outcome }))
    expect(chooseExitCode(findings, 'error')).toBe(code)
  })
})

describe('exit code without an answer', () => {
  const lost = { outcome: 'skipped', because: 'live/connect' } as const
  const dns = { id: 'live/dns' }
  it.each<[string, Partial<Finding>[], FailOn, number]>([
    ['the rule that failed is left out', [dns, { id: 'live/origin', ...lost }], 'error', 3],
    [
      'the rule that failed is there',
      [dns, { id: 'live/connect', outcome: 'fail' }, { id: 'live/origin', ...lost }],
      'never',
      0,
    ],
    ['another point answered', [{ id: 'live/origin' }, { id: 'live/origin', ...lost }], 'error', 0],
    [
      'the account alone was asked for',
      [
        { id: 'account/url-stale', outcome: 'inconclusive' },
        { id: 'account/scopes-differ', outcome: 'inconclusive' },
        { id: 'config/unused-suppression', outcome: 'skipped' },
      ],
      'error',
      3,
    ],
    ['something else was conclusive', [{ id: 'account/x', outcome: 'inconclusive' }, {}], 'error', 0],
  ])('when %s', (_when, findings, failOn, code) => {
    expect(
      chooseExitCode(
        findings.map((each) =>
          aFinding({ id: 'a/rule', outcome: 'pass', subject: { setting: 'x' }, ...each }),
        ),
        failOn,
      ),
    ).toBe(code)
  })
})

describe('cookie verdicts', () => {
  const local = `http://localhost:8080${prefix}`
  const ofLocal = { domain: 'localhost', secure: true }
  const odd = `https://www.example.com/a|b^${prefix}`
  const ipv6 = `http://[::1]${prefix}`
  it.each([
    [{ points: [www, plain], cookies: [{}] }, 'sent', [www]],
    [{ points: [www, plain], cookies: [{ secure: false }] }, 'sent', [www, plain]],
    [{ points: [www, www], cookies: [{}] }, 'sent', [www]],
    [{ points: [plain], cookies: [{}] }, 'depends', []],
    [{ points: [www], cookies: [{ domain: 'example.com' }] }, 'not-sent', []],
    [{ points: [www], cookies: [{ sameSite: 'None', secure: false }] }, 'not-sent', []],
    [{ points: [www], pages: ['http://www.example.com'], cookies: [{ sameSite: 'Lax' }] }, 'depends', []],
    [{ points: [local], pages: ['https://localhost'], cookies: [ofLocal] }, 'depends', []],
    [{ points: [plain], pages: ['https://www.example.com'], cookies: [{ secure: false }] }, 'not-sent', []],
    [{ points: [www], cookies: [{ sameSite: 'None' }] }, 'sent', [www]],
    [{ points: [`https://www.example.com/a|b${prefix}`], cookies: [{ path: '/a|b' }] }, 'not-sent', []],
    [{ points: [odd], cookies: [{ path: '/a%7Cb%5E' }] }, 'sent', [odd]],
    [{ points: [www], cookies: [{ path: prefix }] }, 'sent', [www]],
    [{ points: [ipv6], cookies: [{ domain: '::1', secure: true }] }, 'sent', [ipv6]],
  ] as const)('%j: %s to %j', (given, verdict, sentTo) => {
    expect(checkGiven(given).cookies[0]).toMatchObject({ verdict, sentTo })
  })
})

function runRules(list: readonly Rule[], selection: Partial<Selection> = {}) {
  const all = { only: [], skip: [], suppress: [] }
  return check(gatherOfflineFacts(aConfig({ points: [www] })), list, { ...all, ...selection })
}

function aRule(rule: Partial<Rule>): Rule {
  const text = 'text'
  return {
    id: 'a/rule',
    severity: 'error',
    title: text,
    why: text,
    wrong: text,
    right: text,
    fix: text,
    evaluate: () => [],
    ...rule,
  }
}
