import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { parsePoints } from '../points/parse-points.ts'
import { escapeControls } from '../text/escape.ts'
import type { AccountConfig } from './accounts.ts'
import { type AccountPart, type Incomparable, nameInErrors } from './apply.ts'
import { renderLeftAlone } from './difference.ts'
import type { LoadedAccounts } from './open-accounts.ts'
import { readOptions, toSettings, withUnreadable } from './read-accounts.ts'
import { type Replaced, toReplaced } from './replaced.ts'
import { type ComparedAccount, TWO_ACCOUNTS, toAccountText } from './report.ts'
import {
  type AccountSettings,
  compareSettings,
  countRemoved,
  findLeftAlone,
  renderScope,
} from './settings.ts'
import { findChangedSince, findNeeded, undo } from './undo.ts'

interface PartSettings {
  /** Where the wanted settings come from: `the config`, or the name of a file. */
  readonly source: string
  /** Compares them although the keys belong to different accounts. */
  readonly force: boolean
  /** Says what was overridden, and what is left alone. */
  readonly tell: (message: string) => void
  /** Keeps what a change is about to replace. Returns why it can't, as a clause. */
  readonly keep: (replaced: Replaced[number]) => Promise<string | undefined>
}

/** The settings of an account that concern continuation. */
export function settingsPart({ source, force, tell, keep }: PartSettings): AccountPart {
  const compareTo = (settings: AccountSettings, { wanted, own, undo: changes }: AccountConfig) =>
    compareSettings(settings, changes === undefined ? wanted : undo(settings, changes), own)
  return {
    source,
    async show({ client, keys }) {
      const read = await readOptions(client, keys)
      return read.kind === 'two-accounts' ? DIFFERENT_ACCOUNTS : { value: read.options }
    },
    async compare(account) {
      const read = await readOptions(account.client, account.keys)
      if (read.kind === 'two-accounts') {
        if (!force) return DIFFERENT_ACCOUNTS
        tell(`Overriding account/other-account for ${toAccountText(account.config)}.\n`)
      }
      const settings = read.kind === 'options' ? read.options : toSettings(await account.client.options.get())
      tell(renderLeftAlone(findLeftAlone(settings, account.config.wanted, account.config.own)))
      const { undo: changes } = account.config
      if (changes !== undefined) {
        for (const scope of findChangedSince(settings, changes))
          tell(`Changed since, left alone: ${escapeControls(renderScope(scope))}\n`)
        for (const name of findNeeded(settings, changes))
          tell(`Left on, since points that were added since need it: ${name}\n`)
      }
      return compareTo(settings, account.config)
    },
    async change(account, differences) {
      const { client, keys, config } = account
      // With the widget's key if it is known, since that is how the widget reads it.
      const byWidget = keys.widgetKey === undefined || force ? {} : { widgetKey: keys.widgetKey }
      const compareNow = async (by: object) => compareTo(toSettings(await client.options.get(by)), config)
      const replaced = toReplaced(account, differences)
      const now = await client.options.get()
      const fault = isDeepStrictEqual(compareTo(toSettings(now), config), differences)
        ? await keep(replaced)
        : 'its settings are no longer what was shown. Run the command again to see what differs now'
      if (fault !== undefined) return { reason: `not changed, since ${fault}`, outcome: 'inconclusive' }
      await client.options.change(withUnreadable(replaced.after, now))
      const left = await compareNow(byWidget)
      // Of accounts with equal settings only a change tells which of them a key belongs to.
      if (isDeepStrictEqual(left, differences) && !isDeepStrictEqual(await compareNow({}), differences)) {
        await client.options.change(withUnreadable(replaced.before, now))
        return {
          ...DIFFERENT_ACCOUNTS,
          reason: `${TWO_ACCOUNTS}. What was changed is put back, so the kept file is not needed`,
        }
      }
      const changed = differences.map(({ setting }) => setting).join(', ')
      return { done: `Changed ${changed} of ${toAccountText(config)}.\n`, left }
    },
    countRemoved,
    inStep: (account) =>
      source === 'the config' ? toInStep(account) : `Nothing of ${source} is left to undo in ${account}.\n`,
  }
}

/** Compares the settings of each account with the config. */
export async function compareAccounts({ accounts }: LoadedAccounts): Promise<readonly ComparedAccount[]> {
  const compared: ComparedAccount[] = []
  for (const account of accounts) {
    const { name, wanted: settings, own } = account.config
    const read = await nameInErrors(account, readOptions(account.client, account.keys))
    if (read.kind === 'two-accounts') {
      compared.push({ name, differences: read.kind, leftAlone: [] })
      continue
    }
    compared.push({
      name,
      differences: compareSettings(read.options, settings, own),
      leftAlone: findLeftAlone(read.options, settings, own),
    })
  }
  return compared
}

/** Why there are no points to compare an account with. */
export function findPointProblems({ points, pointsLocation, service }: Config): readonly Problem[] {
  if (points.length === 0) {
    const message = 'there is no continuation point to compare the account with'
    return [{ location: pointsLocation, message, expected: 'a list of URLs, here or in CONTINUATION_POINTS' }]
  }
  const parsed = parsePoints(points, service.prefix)
  return 'problems' in parsed ? parsed.problems : []
}

/** Says that nothing differs. */
export function toInStep(account: string): string {
  return `${account.replace(/^t/, 'T')} matches the config.\n`
}

const DIFFERENT_ACCOUNTS: Incomparable = { reason: TWO_ACCOUNTS, outcome: 'findings' }
