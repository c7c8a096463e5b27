import { listRemedies } from './fix.ts'
import { helpFor } from './help.ts'
import type { Rule } from './rule.ts'
import { findRuleIds, rules } from './rules/index.ts'

/** The text about a rule; without one the list of all, with the name of a group the list of its rules. */
export function explain(id: string | undefined): string | { readonly fault: string } {
  if (id === undefined) return renderRuleList(rules)
  const found = findRuleIds(id)
  if ('fault' in found) return found
  const chosen = rules.filter((rule) => found.ids.includes(rule.id))
  const [rule] = chosen
  return rule?.id === id ? renderRule(rule) : renderRuleList(chosen)
}

export function renderRuleList(list: readonly Rule[]): string {
  const widest = Math.max(...list.map(({ id }) => id.length))
  return list
    .map(({ id, severity, title }) => `${severity.padEnd(8)} ${id.padEnd(widest)}  ${title}\n`)
    .join('')
}

export function renderRule({ id, severity, title, why, wrong, right, fix, remedy, reference }: Rule): string {
  const suppression = `{ "rule": "${id}", "match": "…", "reason": "…" } in "suppress"`
  const help = helpFor(id)
  const remedies = remedy === undefined ? [] : listRemedies(remedy).map(([name, line]) => `${name}: ${line}`)
  const parts: readonly (readonly [heading: string, text: string])[] = [
    ['Passes when', `${title}.`],
    ['Why', why],
    ['Wrong', wrong],
    ['Right', right],
    ['Fix', fix],
    ...(remedies.length === 0 ? [] : [['On each web server', remedies.join('\n')] as const]),
    ...(reference === undefined ? [] : [['Read', `${reference.text}: ${reference.url}`] as const]),
    ...(help === undefined ? [] : [['See', help] as const]),
    ['Accept it', suppression],
  ]
  return `${id} (${severity})\n${parts.map(([heading, text]) => `\n${heading}\n${wrapLines(text)}`).join('')}`
}

function wrapLines(text: string): string {
  return text.replace(/(\S{77,}|.{1,77})(?:\s+|$)/g, '  $1\n')
}
