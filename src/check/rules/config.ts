import { redactUrl } from '../../http/url.ts'
import type { Facts } from '../facts.ts'
import { fail, pass, type RulesById, type Ruling, skip } from '../rule.ts'
import { onSetting } from '../subjects.ts'

/** Rules on the config itself. */
export const configRules: RulesById = {
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

function judge({ rule, match, state }: Facts['suppressions'][number]): Ruling {
  if (state === 'used') return pass
  if (state === 'not-run') return skip(`${rule} did not run`)
  if (state === 'unknown-rule')
    return fail(`There is no rule ${rule}`, 'Correct "rule", or remove the suppression', { rule })
  const what = match === undefined ? rule : `${rule} on ${redactUrl(match)}`
  const fix = 'Remove the suppression, or correct "match"'
  return fail(`It matched nothing: ${what} did not fail`, fix, { rule })
}
