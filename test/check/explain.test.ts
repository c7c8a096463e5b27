import { describe, expect, it } from 'vitest'
import { renderRule, renderRuleList } from '../../src/check/explain.ts'
import { rules } from '../../src/check/rules/index.ts'
import { runCommand } from '../cli/fake-io.ts'

describe('check --explain', () => {
  it('lists every rule', async () => {
    const { code, stdout } = await explain()
    expect(code).toBe(0)
    expect(stdout).toBe(renderRuleList(rules))
    expect(stdout.trimEnd().split('\n').length).toBe(rules.length)
  })

  it.each(rules.map((rule) => [rule.id, rule] as const))(
    'explains %s in lines of 80 columns',
    async (id, rule) => {
      const { stdout } = await explain(id)
      expect(stdout).toBe(renderRule(rule))
      for (const word of `${rule.why} ${rule.wrong} ${rule.right} ${rule.fix}`.split(/\s+/))
        expect(stdout).toContain(word)
      for (const line of stdout.split('\n'))
        expect(line.trim().includes(' ') ? line.length : 0).toBeLessThanOrEqual(80)
    },
  )

  it('lists a group', async () => {
    const group = rules.filter(({ id }) => id.startsWith('account/'))
    for (const typed of ['account', 'account/'])
      expect(await explain(typed)).toMatchObject({ code: 0, stdout: renderRuleList(group), stderr: '' })
  })

  it('suggests the rule that was meant', async () => {
    expect(await explain('url/plain-htp\u001b[31m')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^continuation-point: there is no rule "url\/plain-htp\\u001b\[31m"/),
    })
    expect((await explain('url/crosssite')).stderr).toContain('did you mean url/cross-site?')
    expect((await explain('acount/')).stderr).toContain('did you mean account?')
  })

  it('takes one rule', async () => {
    const stderr = expect.stringContaining('--explain takes one rule')
    expect(await explain('url/prefix', 'live/cors')).toMatchObject({ code: 2, stdout: '', stderr })
  })
})

function explain(...operands: readonly string[]) {
  return runCommand(['check', '--explain', ...operands])
}
