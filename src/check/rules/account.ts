import type { AccountFact, AccountSaid } from '../../account/read-account.ts'
import {
  compareSettings,
  findLeftAlone,
  type LeftAlone,
  renderScope,
  toUrlKey,
} from '../../account/settings.ts'
import { redactUrl } from '../../http/url.ts'
import { shorten } from '../../text/prose.ts'
import { oncePer } from '../by-key.ts'
import type { Facts, PointFact } from '../facts.ts'
import { standInOf } from '../read/observations.ts'
import { escapeAndCut, redactAddress } from '../read/reply.ts'
import { isAllowed } from '../read/stand-in-report.ts'
import { type Case, fail, inconclusive, pass, type Rule, type RulesById, type Ruling, skip } from '../rule.ts'
import { onSetting, pointCase } from '../subjects.ts'

/** Rules on the settings of the account, compared with what the config requires. */
export const accountRules: RulesById = {
  'account/other-account': {
    title: 'The REST key and the widget key belong to one account',
    why: 'The service finds the account of a point by the widget key that the point sends. If the REST key belongs to another account, the settings that are read and written with it are not the ones that count.',
    wrong: '"apiKey" of the test account next to "widgetKey" of the one in use',
    right: 'both keys from one integration panel',
    fix: 'Take both keys from the integration panel of one account.',
    evaluate: ({ account }) =>
      account === undefined ? [] : [onSetting('apiKey', judgeKeys(account), account.location)],
  },
  'account/transfer-disabled': {
    title: 'The account has cookie transfer switched on',
    why: 'With cookie_transfer_enabled off no cookie is carried, however good the continuation points are.',
    wrong: '"cookie_transfer_enabled": false',
    right: '"cookie_transfer_enabled": true',
    fix: 'Set cookie_transfer_enabled to true in the account; "settings apply" writes it.',
    needs: { rules: ['account/other-account'] },
    evaluate: onSwitch('cookie_transfer_enabled', 'Cookie transfer is switched off in the account'),
  },
  'account/proxying-disabled': {
    title: 'The account uses continuation points',
    why: 'Without cookie_transfer_proxying the widget carries only the cookies that scripts can read, and never calls the points.',
    wrong: '"cookie_transfer_proxying": false',
    right: '"cookie_transfer_proxying": true',
    fix: 'Set cookie_transfer_proxying to true in the account; "settings apply" writes it.',
    needs: { rules: ['account/other-account'] },
    evaluate: onSwitch('cookie_transfer_proxying', 'Continuation points are switched off in the account'),
  },
  'account/url-not-registered': {
    title: 'The account lists the continuation URL',
    why: 'The widget learns the continuation points from the account. A point that is not in cookie_transfer_urls is never called.',
    wrong: 'a point on https://www.example.com, and http://www.example.com/… in cookie_transfer_urls',
    right: 'cookie_transfer_urls has the URL of every point, exactly as in the config',
    fix: 'Add the URL to cookie_transfer_urls in the account; "settings apply" writes it.',
    needs: { rules: ['account/other-account', 'url/invalid', 'url/prefix', 'url/duplicate'] },
    evaluate: (facts) => {
      const { account } = facts
      if (account === undefined) return []
      const { said, points } = account
      if (said.kind !== 'options') return [unreadCase(account)]
      return facts.points.map((point, index) => ({
        ...pointCase(point),
        judge: () => (points.includes(index) ? judgeRegistration(point, said, facts) : OF_OTHER),
      }))
    },
  },
  'account/url-stale': {
    title: 'On these hosts, the account lists only URLs that are points',
    why: 'The widget calls every continuation URL of the account that is on its site. One that nothing serves fails every time, and makes working points look broken.',
    wrong: 'https://www.example.com/old/service_cookie_transfer/ still in cookie_transfer_urls',
    right: 'cookie_transfer_urls has the URLs of the points, and no others on their hosts',
    fix: 'Take the URL out of cookie_transfer_urls, or add it to the points; "settings apply" writes the list.',
    needs: { rules: ['account/other-account'] },
    evaluate: onAccount('cookie_transfer_urls', ({ options }, facts, { points, wanted, own: hosts }) => {
      if (facts.ownUrls?.size === 0) return skip('the config has no points of its own to compare with')
      const own = wanted.cookie_transfer_urls ?? []
      // The facts may have the points that a fix leads to.
      const corrected = points.flatMap((index) => facts.points[index]?.parsed?.url ?? [])
      const whole = { ...wanted, cookie_transfer_urls: [...own, ...corrected] }
      const stale = compareSettings(options, whole, hosts).flatMap((each) =>
        each.setting === 'cookie_transfer_urls' ? each.surplus : [],
      )
      if (stale.length === 0) return pass
      const shown = shorten(stale.map(redactAddress))
      return fail(
        stale.length === 1
          ? `The account lists ${shown[0]}, which is not a point in this config`
          : `The account lists ${stale.length} URLs that are not points in this config`,
        {
          what: `Take ${shown.join(', ')} out of cookie_transfer_urls`,
          command: APPLY,
          otherwise: 'add it to "points"',
        },
        sidesOf(
          shorten(own.map(redactUrl)),
          shown,
          stale.map((url) => `− ${redactAddress(url)}`),
        ),
      )
    }),
  },
  'account/scopes-differ': {
    title: 'On these hosts, the account lists the cookies of the config, and no others',
    why: 'The service sets only the cookies that cookie_transfer_scopes lists, with exactly that domain and path. A scope that differs by a dot is a different cookie.',
    wrong: 'a cookie on ".example.com" in the config, and on "www.example.com" in the account',
    right: 'the same name, domain, path and httponly on both sides',
    fix: 'Write the scopes of the config to the account ("settings apply" does that), or correct "cookies".',
    needs: { rules: ['account/other-account'] },
    evaluate: onAccount('cookie_transfer_scopes', ({ options }, _facts, { wanted, own }) => {
      if (wanted.cookie_transfer_scopes === undefined) return skip('the config has no "cookies"')
      const difference = compareSettings(options, wanted, own).find(
        (each) => each.setting === 'cookie_transfer_scopes',
      )
      if (difference === undefined) return judgeLeftAlone(findLeftAlone(options, wanted, own))
      const { missing, surplus } = difference
      const parts = [
        ...(missing.length === 0 ? [] : [`${missing.length} missing in the account`]),
        ...(surplus.length === 0 ? [] : [`${surplus.length} only in the account`]),
      ]
      const [expected, found] = [missing, surplus].map((scopes) => shorten(toTexts(scopes)))
      return fail(
        `The account's cookies differ from the config's: ${parts.join(', ')}`,
        { what: 'Write the scopes of the config to the account', command: APPLY },
        sidesOf(expected, found, [...toTexts(missing, '+ '), ...toTexts(surplus, '− ')]),
      )
    }),
  },
  'account/back-transfer': {
    title: 'Back-transfer is set the same in the account and in the config',
    why: 'With enable_cookie_backtransfer, cookies that change in a session come back to the site; without it they are lost when the session ends. Account and config should agree.',
    wrong: '"backTransfer": true in the config, "enable_cookie_backtransfer": false in the account',
    right: 'the same on both sides',
    fix: 'Set enable_cookie_backtransfer in the account to the value of "backTransfer" ("settings apply" does that), or correct the config.',
    needs: { rules: ['account/other-account'] },
    evaluate: onAccount('enable_cookie_backtransfer', ({ options }, _facts, { wanted }) => {
      const wants = wanted.enable_cookie_backtransfer
      if (wants === undefined) return skip('the config has no "backTransfer"')
      if ((options.enable_cookie_backtransfer ?? false) === wants) return pass
      return fail(
        `Back-transfer is ${wants ? 'off' : 'on'} in the account and ${wants ? 'on' : 'off'} in the config`,
        {
          what: `Set enable_cookie_backtransfer to ${wants}`,
          command: APPLY,
          otherwise: `"backTransfer" to ${!wants}`,
        },
        sidesOf(wants, options.enable_cookie_backtransfer, [`+ enable_cookie_backtransfer: ${wants}`]),
      )
    }),
  },
}

const APPLY = 'settings apply'

function judgeKeys({ said }: AccountFact): Ruling {
  if (said.kind === 'unread') return inconclusive(`The account could not be read: ${said.reason}`)
  if (said.kind === 'options') return said.withBothKeys ? pass : skip('only one key of the account is known')
  return fail(
    'The REST key and the widget key belong to different accounts, so the settings of one say nothing about the other',
    'Take "apiKey" and "widgetKey" from the integration panel of one account',
  )
}

function judgeRegistration({ shown, point }: PointFact, { options }: ReadAccount, facts: Facts): Ruling {
  if (point === undefined) return skip('the URL of the point could not be read')
  const { keys, shown: listed } = readListed(options)
  if (keys.has(point.url)) return pass
  return fail(
    'The account does not list this continuation URL',
    facts.ownUrls === undefined || facts.ownUrls.has(point.url)
      ? { what: `Add ${point.url} to cookie_transfer_urls`, command: APPLY }
      : `Correct the URL, or add ${point.url} to "points" and apply the settings`,
    sidesOf(point.url, listed, [`+ ${point.url}`], observedAllowed(facts)?.get(shown)),
  )
}

/** Once for all points, since the list may be long. */
const readListed = oncePer(({ cookie_transfer_urls: urls = [] }: ReadAccount['options']) => ({
  keys: new Set(urls.map(toUrlKey)),
  shown: shorten(urls.map(redactAddress)),
}))

/** What stays in the account is a note, so that a cookie which the config has dropped is not forgotten. */
function judgeLeftAlone(entries: readonly LeftAlone[]): Ruling {
  if (entries.length === 0) return pass
  const shown = shorten(entries.map(({ what, reason }) => `${escapeAndCut(what)} (${reason})`))
  const message = `The account lists what is not in the config, and "settings apply" leaves alone: ${shown.join(', ')}`
  return { ...fail(message, 'Take out what no host needs any more'), severity: 'info' }
}

const OF_OTHER = skip('the point has a widgetKey of its own, so it is of another account')

type ReadAccount = Extract<AccountSaid, { readonly kind: 'options' }>

/** Fails if the account has this switch off. */
function onSwitch(
  setting: 'cookie_transfer_enabled' | 'cookie_transfer_proxying',
  message: string,
): Rule['evaluate'] {
  return onAccount(setting, ({ options }, facts) =>
    options[setting] === true
      ? pass
      : fail(
          message,
          { what: `Set ${setting} to true`, command: APPLY },
          sidesOf(true, options[setting], [`+ ${setting}: true`], observedAllowed(facts)),
        ),
  )
}

/** Judges one setting, if the account could be read and is that of its points; no case if it was not read. */
function onAccount(
  setting: string,
  judge: (account: ReadAccount, facts: Facts, fact: AccountFact) => Ruling,
): Rule['evaluate'] {
  return (facts) => {
    const { account } = facts
    if (account === undefined) return []
    const { said } = account
    return [said.kind === 'options' ? onSetting(setting, judge(said, facts, account)) : unreadCase(account)]
  }
}

/** A case on the subject on which `account/other-account` failed or was inconclusive, so the engine never judges it. */
function unreadCase({ location }: AccountFact): Case {
  return onSetting('apiKey', inconclusive('The account could not be read'), location)
}

function toTexts(scopes: readonly Parameters<typeof renderScope>[0][], mark = ''): readonly string[] {
  return scopes.map((scope) => `${mark}${escapeAndCut(renderScope(scope))}`)
}

/** What config and account say, what was observed at the points, and what has to change in the account, marked with + or −. */
function sidesOf(config: unknown, account: unknown, changes: readonly string[], observed?: unknown) {
  return { config, account: account ?? 'not there', observed: observed ?? UNOBSERVED, changes }
}

const UNOBSERVED = 'not tested by these requests'

/** What the stand-in reported at each point. */
function observedAllowed({ points, live }: Facts): ReadonlyMap<string, string> | undefined {
  const entries = points.flatMap((point) => {
    const fact = live?.get(point)
    const report = fact && standInOf(fact)
    return report === undefined ? [] : [[point.shown, isAllowed(report) ? 'allowed' : 'not allowed'] as const]
  })
  return entries.length === 0 ? undefined : new Map(entries)
}
