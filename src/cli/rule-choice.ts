import { type Selection, toChosenRules } from '../check/check.ts'
import { rules } from '../check/rules/index.ts'

/**
 * The message if none of the chosen rules can run, or `undefined`: an empty report would read as a pass.
 *
 * @param mode `offline` uses no network, so rules about responses of points and accounts can't run
 */
export function findChoiceFault(
  { only, skip }: Pick<Selection, 'only' | 'skip'>,
  mode: 'offline' | 'live',
): string | undefined {
  const chosen = toChosenRules(rules, { only, skip }).map(({ id }) => id)
  if (chosen.length === 0)
    return only.length === 0 ? '--skip leaves no rule' : '--only and --skip leave no rule'
  if (mode === 'live' || !chosen.every(needsNetwork)) return undefined
  const next = 'omit --offline'
  if (only.length === 0) return `--skip leaves only rules that need the network: ${next}`
  const last = chosen.at(-1) ?? ''
  if (chosen.length === 1) return `--only ${last} needs the network: ${next}`
  return `--only ${chosen.slice(0, -1).join(', ')} and ${last} need the network: ${next}`
}

function needsNetwork(id: string): boolean {
  return id.startsWith('live/') || id.startsWith('account/')
}
