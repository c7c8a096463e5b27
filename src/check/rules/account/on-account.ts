import type { AccountFact, AccountSaid, Facts } from '../../facts.ts'
import { verificationReply } from '../../read/live-fact.ts'
import { toShownUrl } from '../../read/shown-text.ts'
import { readStandIn } from '../../read/stand-in-report.ts'
import { type Case, inconclusive, type Rule, type Ruling } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export type ReadAccount = Extract<AccountSaid, { readonly kind: 'options' }>

/** What every rule on what an account says needs: that it could be read, and is the account of its points. */
export const READ_ACCOUNT: Rule['needs'] = { rules: ['account/other-account'] }

/** Judges one setting of each account; no entry where nobody was to ask for it. */
export function onAccount(
  setting: string,
  judge: (account: ReadAccount, facts: Facts, fact: AccountFact) => Ruling,
): Rule['evaluate'] {
  return (facts) =>
    (facts.accounts ?? []).map((account) => {
      const { said } = account
      if (said.kind !== 'options') return unreadCase(account)
      return onSetting(toSetting(setting, account), judge(said, facts, account), undefined)
    })
}

/** Has the subject on which `account/other-account` failed or could not be told, so the engine never asks it. */
export function unreadCase({ setting, location }: AccountFact): Case {
  return onSetting(setting, inconclusive('The account could not be read'), location)
}

/** The setting, and of which account where there are several. */
export function toSetting(setting: string, { name }: AccountFact): string {
  return name === undefined ? setting : `${setting} of the account of ${toShownUrl(name)}`
}

/** Three columns: what the config wants, what the account says, what was observed at the points. */
export function toColumns(
  config: unknown,
  account: unknown,
  observed: unknown,
): Readonly<Record<string, unknown>> {
  return { config, account: account ?? 'not there', observed: observed ?? 'not observed' }
}

/** What the service said at each point that it spoke at. */
export function observedAllowed({ points, live }: Facts): Readonly<Record<string, string>> | undefined {
  const entries = points.flatMap((point) => {
    const fact = live?.get(point)
    const answer = fact && readStandIn(verificationReply(fact))
    return answer === undefined ? [] : [[point.shown, answer.allowed ? 'allowed' : 'not allowed'] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
