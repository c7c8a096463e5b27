import type { DerivedScope } from '../../../config/derived-settings.ts'
import { compareSettings } from '../../../config/settings-difference.ts'
import { toShownText } from '../../read/shown-text.ts'
import { fail, pass, type Rule, skip } from '../../rule.ts'
import { columnsEvidence, onAccount, READ_ACCOUNT } from './on-account.ts'

export const scopesDiffer: Rule = {
  id: 'account/scopes-differ',
  severity: 'error',
  title: 'The account lists the cookies of the config, and no others',
  why: 'The service sets only the cookies that cookie_transfer_scopes lists, with exactly that domain and path. A scope that differs by a dot is a different cookie.',
  wrong: 'a cookie on ".example.com" in the config, and on "www.example.com" in the account',
  right: 'the same name, domain, path and httponly on both sides',
  fix: 'Write the scopes of the config to the account ("settings apply" does that), or correct "cookies".',
  needs: READ_ACCOUNT,
  evaluate: onAccount('cookie_transfer_scopes', ({ options, wanted }) => {
    if (wanted.cookie_transfer_scopes.length === 0) return skip('no cookies are listed')
    const difference = compareSettings(options, wanted).find(isOfScopes)
    if (difference === undefined) return pass
    const { missing, surplus } = difference
    const parts = [
      ...(missing.length === 0 ? [] : [`${missing.length} missing in the account`]),
      ...(surplus.length === 0 ? [] : [`${surplus.length} only in the account`]),
    ]
    return fail(
      `The account's cookies differ from the config's: ${parts.join(', ')}`,
      'Write the scopes of the config to the account (continuation-point settings apply does that)',
      columnsEvidence(missing.slice(0, 10).map(toText), surplus.slice(0, 10).map(toText), undefined),
    )
  }),
}

function isOfScopes(
  difference: ReturnType<typeof compareSettings>[number],
): difference is Extract<typeof difference, { readonly setting: 'cookie_transfer_scopes' }> {
  return difference.setting === 'cookie_transfer_scopes'
}

function toText({ name, domain, path, httponly }: DerivedScope): string {
  return toShownText(`${name} ${domain} ${path}${httponly ? ' httponly' : ''}`)
}
