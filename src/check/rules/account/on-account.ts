import type { AccountFact } from '../../account-fact.ts'
import type { Facts } from '../../facts.ts'
import { verificationReply } from '../../read/live-fact.ts'
import { readStandIn } from '../../read/stand-in-answer.ts'
import { onSetting, type Rule, type Ruling } from '../../rule.ts'

export type ReadAccount = Extract<AccountFact, { readonly kind: 'options' }>

/** Judges one setting of the account; no entry where nobody was to ask for it. */
export function onAccount(
  setting: string,
  judge: (account: ReadAccount, facts: Facts) => Ruling,
): Rule['evaluate'] {
  return (facts) => {
    if (facts.account === undefined) return []
    const ruling = facts.account.kind === 'options' ? judge(facts.account, facts) : toUnread(facts.account)
    return [onSetting(setting, ruling, undefined)]
  }
}

export function toUnread({ reason }: Extract<AccountFact, { readonly kind: 'unread' }>): Ruling {
  return { outcome: 'inconclusive', message: `The account could not be read: ${reason}` }
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
