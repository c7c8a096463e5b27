import { fail, pass, type Rule } from '../../rule.ts'
import { columnsEvidence, onAccount, READ_ACCOUNT } from './on-account.ts'

export const backTransfer: Rule = {
  id: 'account/back-transfer',
  severity: 'error',
  title: 'Back-transfer is set the same in the account and in the config',
  why: 'With enable_cookie_backtransfer, cookies that change in a session come back to the site; without it they are lost when the session ends. Account and config should agree.',
  wrong: '"backTransfer": true in the config, "enable_cookie_backtransfer": false in the account',
  right: 'the same on both sides',
  fix: 'Set enable_cookie_backtransfer in the account to the value of "backTransfer" ("settings apply" does that), or correct the config.',
  needs: READ_ACCOUNT,
  evaluate: onAccount('enable_cookie_backtransfer', ({ options, wanted }) => {
    const wants = wanted.enable_cookie_backtransfer
    if ((options.enable_cookie_backtransfer ?? false) === wants) return pass
    return fail(
      `Back-transfer is ${wants ? 'off' : 'on'} in the account and ${wants ? 'on' : 'off'} in the config`,
      `Set enable_cookie_backtransfer to ${wants} (continuation-point settings apply does that), or "backTransfer" to ${!wants}`,
      columnsEvidence(wants, options.enable_cookie_backtransfer, undefined),
    )
  }),
}
