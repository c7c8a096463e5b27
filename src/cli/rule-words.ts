import type { Rule } from '../check/rule.ts'
import { rules } from '../check/rules/index.ts'
import { didYouMean } from '../config/suggestion.ts'

/** The rule with this id, or the message that there is none. */
export function findRule(id: string): Rule | { readonly fault: string } {
  const rule = rules.find((each) => each.id === id)
  if (rule !== undefined) return rule
  const ids = rules.map((each) => each.id)
  const next = didYouMean(id, ids, '; run explain without a rule for a list')
  return { fault: `there is no rule ${JSON.stringify(id)}${next}` }
}

/** The rule ids that a value of `--only` or `--skip` stands for: one rule, or all of a group such as `live`. */
export function findRuleIds(word: string): readonly string[] | { readonly fault: string } {
  const group = rules.map(({ id }) => id).filter((id) => id.startsWith(`${word}/`))
  if (group.length > 0) return group
  const rule = findRule(word)
  return 'fault' in rule ? rule : [rule.id]
}
