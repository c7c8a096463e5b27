import type { AccountFact, Facts } from '../../facts.ts'
import { fail, inconclusive, pass, type Rule, type Ruling, skip } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export const otherAccount: Rule = {
  id: 'account/other-account',
  severity: 'error',
  title: 'The REST key and the widget key of a point belong to one account',
  why: 'The service finds the account of a point by the widget key that the point sends. If the REST key belongs to another account, the settings that are read and written with it are not the ones that count.',
  wrong: '"apiKey" of the test account beside "widgetKey" of the one in use',
  right:
    'both keys from one integration panel; a point of another account has "widgetKey" and "apiKey" beside it',
  fix: 'Take both keys from the integration panel of one account.',
  evaluate: (facts) =>
    (facts.accounts ?? []).map((account) =>
      onSetting(account.setting, judge(account, facts), account.location),
    ),
}

function judge({ said, points, setting }: AccountFact, facts: Facts): Ruling {
  if (said.kind === 'unread') return inconclusive(`The account could not be read: ${said.reason}`)
  if (said.kind === 'options') {
    return said.keys === 'both' ? pass : skip('only one key of the account is known')
  }
  const shown = points.flatMap((index) => facts.points[index]?.shown ?? [])
  const widgetKey = setting.replace('apiKey', 'widgetKey')
  return fail(
    'The REST key and the widget key belong to two accounts, so the settings of one say nothing about the other',
    `Take "${setting}" and "${widgetKey}" from the integration panel of one account`,
    { points: shown.slice(0, 10) },
  )
}
