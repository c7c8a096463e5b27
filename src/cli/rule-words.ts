import type { Rule } from '../check/rule.ts'
import { rules } from '../check/rules/index.ts'
import { suggest } from '../config/suggestion.ts'

/** The rule of this id, or what to tell who asked for one that isn't there. */
export function findRule(id: string): Rule | { readonly fault: string } {
  const rule = rules.find((each) => each.id === id)
  if (rule !== undefined) return rule
  const suggestion = suggest(
    id,
    rules.map((each) => each.id),
  )
  const next =
    suggestion === undefined ? '; explain without a rule lists them' : `, did you mean ${suggestion}?`
  return { fault: `there is no rule ${JSON.stringify(id)}${next}` }
}

/** The ids that a word of `--only` or `--skip` means: that of a rule, or `live` for all of its group. */
export function findRuleIds(word: string): readonly string[] | { readonly fault: string } {
  const group = rules.map(({ id }) => id).filter((id) => id.startsWith(`${word}/`))
  if (group.length > 0) return group
  const rule = findRule(word)
  return 'fault' in rule ? rule : [rule.id]
}
