import type { AccountFact, AccountSaid, Facts } from '../../facts.ts'
import { verificationReply } from '../../read/live-fact.ts'
import { toShownUrl } from '../../read/shown-text.ts'
import { readStandIn } from '../../read/stand-in-report.ts'
import { type Case, inconclusive, type Needs, type Rule, type Ruling } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export type ReadAccount = Extract<AccountSaid, { readonly kind: 'options' }>

/** Needed by every rule on an account's settings: the account could be read and is that of its points. */
export const READ_ACCOUNT: Needs = { rules: ['account/other-account'] }

/** Judges one setting of each account; no case if accounts were not read. */
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

/** A case on the subject on which `account/other-account` failed or was inconclusive, so the engine never judges it. */
export function unreadCase({ setting, location }: AccountFact): Case {
  return onSetting(setting, inconclusive('The account could not be read'), location)
}

/** The setting, with the name of the account if there are several. */
export function toSetting(setting: string, { name }: AccountFact): string {
  return name === undefined ? setting : `${setting} of the account of ${toShownUrl(name)}`
}

/** Evidence in three columns: what the config requires, what the account has, what was observed at the points. */
export function columnsEvidence(
  config: unknown,
  account: unknown,
  observed: unknown,
): Readonly<Record<string, unknown>> {
  return { config, account: account ?? 'not there', observed: observed ?? 'not observed' }
}

/** What the stand-in reported at each point. */
export function observedAllowed({ points, live }: Facts): Readonly<Record<string, string>> | undefined {
  const entries = points.flatMap((point) => {
    const fact = live?.get(point)
    const report = fact && readStandIn(verificationReply(fact))
    return report === undefined ? [] : [[point.shown, report.allowed ? 'allowed' : 'not allowed'] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
