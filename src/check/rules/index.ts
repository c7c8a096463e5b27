import { didYouMean } from '../../config/suggestion.ts'
import type { Rule, RulesById } from '../rule.ts'
import { accountRules } from './account.ts'
import { configRules } from './config.ts'
import { cookieCarriageRules } from './cookie-carriage.ts'
import { cookieEntryRules } from './cookie-entry.ts'
import { cookieListRules } from './cookie-list.ts'
import { answerRules } from './live/answers.ts'
import { cachedRules } from './live/cached.ts'
import { connectionRules } from './live/connection.ts'
import { corsRules } from './live/cors.ts'
import { forwardedRules } from './live/forwarded.ts'
import { methodRules } from './live/methods.ts'
import { outsideRules } from './live/outside.ts'
import { ownFieldRules } from './live/own-fields.ts'
import { redirectRules } from './live/redirect.ts'
import { setCookieRules } from './live/set-cookie.ts'
import { sizeRules } from './live/sizes.ts'
import { pageRules } from './page.ts'
import { serviceRules } from './service.ts'
import { urlTextRules } from './url-text.ts'
import { urlUseRules } from './url-use.ts'

const RULES_BY_ID: RulesById = {
  // A site whose cookies all leave it comes before whatever else is wrong.
  ...outsideRules,
  ...urlTextRules,
  ...urlUseRules,
  ...pageRules,
  ...cookieEntryRules,
  ...cookieCarriageRules,
  ...cookieListRules,
  ...serviceRules,
  ...accountRules,
  ...connectionRules,
  ...redirectRules,
  ...forwardedRules,
  ...ownFieldRules,
  ...methodRules,
  ...setCookieRules,
  ...cachedRules,
  ...sizeRules,
  ...answerRules,
  ...corsRules,
  ...configRules,
}

/** Every rule, in the order of reports. */
export const rules: readonly Rule[] = Object.entries(RULES_BY_ID).map(([id, rule]) => ({
  id,
  severity: 'error',
  ...rule,
}))

/** The rule ids that a value of `--only` or `--skip` stands for: one rule, or all of a group such as `live`. */
export function findRuleIds(word: string): { readonly ids: readonly string[] } | { readonly fault: string } {
  const all = rules.map(({ id }) => id)
  const ids = all.filter((id) => id === word || id.startsWith(`${word.replace(/\/$/, '')}/`))
  if (ids.length > 0) return { ids }
  const groups = new Set(all.map((id) => id.replace(/\/.*/, '')))
  const next = didYouMean(word, [...all, ...groups], '; run check --explain for a list')
  return { fault: `there is no rule ${JSON.stringify(word)}${next}` }
}

/** Why none of the chosen rules can run: an empty report would read as a pass. `only`: what `--only` names, as typed. */
export function findChoiceFault(
  chosen: readonly Rule[],
  only: readonly string[],
  isOffline: boolean,
): string | undefined {
  if (chosen.length === 0)
    return only.length === 0 ? '--skip leaves no rule' : '--only and --skip leave no rule'
  if (!isOffline || !chosen.every(({ id }) => /^(?:live|account)\//.test(id))) return undefined
  const list = new Intl.ListFormat('en-GB').format(only)
  const need = only.length === 1 ? 'needs' : 'need'
  const who = only.length === 0 ? '--skip leaves only rules that need' : `--only ${list} ${need}`
  return `${who} the network: omit --offline`
}
