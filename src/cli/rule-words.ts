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
