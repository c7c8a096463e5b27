import { redactUrl } from '../../http/redact-url.ts'
import type { Facts, PlanFact } from '../facts.ts'
import { fail, pass, type RulesById, type Ruling, skip } from '../rule.ts'
import { onSetting } from '../subjects.ts'

/** Rules on the config itself. */
export const configRules: RulesById = {
  'config/plan': {
    title: "The accounts' plans allow what the config asks",
    why: "A plan may fix options of an account, whatever is applied. The service's document does not say which; the config says so in plans, so that this is known before it is applied to every account on the plan.",
    wrong:
      '"plans": { "client_basic": { "enable_cookie_backtransfer": false } } and "backTransfer": true, with a point whose "plan" is "client_basic"',
    right: 'that point in a config of its own, without backTransfer',
    fix: 'Have the vendor change the plan, or leave what it fixes as it is.',
    evaluate: ({ plans = [] }) =>
      plans.map((plan) => onSetting(`plans.${plan.name}`, judgePlan(plan), plan.location)),
  },
  'config/unused-suppression': {
    severity: 'warning',
    title: 'The suppression is still needed',
    why: 'A suppression that hides nothing today may hide something tomorrow that nobody has looked at. It may also contain a misspelt rule or URL.',
    wrong:
      '{ "rule": "url/plain-http", "match": "http://old.example.com/*", "reason": "moves in May" } after the move',
    right: 'the suppression removed',
    fix: 'Remove it, or correct "rule" or "match".',
    isReview: true,
    evaluate: ({ suppressions }) =>
      suppressions.map((suppression, index) =>
        onSetting(`suppress[${index}]`, judge(suppression), suppression.location),
      ),
  },
}

function judgePlan({ name, fixed, points, misspelt: [stray] }: PlanFact): Ruling {
  if (stray !== undefined) {
    const step = 'Correct "plan" of this point, or list its plan in "plans": as {} if it fixes nothing'
    return fail(`${stray.shown} has a plan that is not in "plans", where ${name} is`, step, { plan: name })
  }
  const [first, ...more] = points
  if (first === undefined || fixed.length === 0) return pass
  const what = fixed.map(({ option, value }) => `${option} as ${value}`).join(' and ')
  const where = more.length === 0 ? first.shown : `${first.shown} and ${more.length} more`
  const step = fixed.some(({ option }) => option !== 'enable_cookie_backtransfer')
    ? 'Have the vendor change the plan: without this option points carry nothing'
    : `Set "backTransfer" to ${fixed[0]?.value}, or move these points to a config of their own`
  return fail(`The plan ${name} fixes ${what}, for ${where}`, step, { plan: name })
}

function judge({ rule, match, state }: Facts['suppressions'][number]): Ruling {
  if (state === 'used') return pass
  if (state === 'not-run') return skip(`${rule} did not run`)
  if (state === 'unknown-rule')
    return fail(`There is no rule ${rule}`, 'Correct "rule", or remove the suppression', { rule })
  const what = match === undefined ? rule : `${rule} on ${redactUrl(match)}`
  return fail(`It matched nothing: ${what} did not fail`, 'Remove the suppression, or correct "match"', {
    rule,
  })
}
