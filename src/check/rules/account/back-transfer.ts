import { fail, pass, type Rule } from '../../rule.ts'
import { onAccount, READ_ACCOUNT, toColumns } from './on-account.ts'

export const backTransfer: Rule = {
  id: 'account/back-transfer',
  severity: 'error',
  title: 'Back-transfer is set in the account as in the config',
  why: 'With enable_cookie_backtransfer the cookies that changed in a session come back to the site; without it they are lost with the session. Both sides should want the same.',
  wrong: '"backTransfer": true in the config, "enable_cookie_backtransfer": false in the account',
  right: 'the same on both sides',
  fix: 'Set enable_cookie_backtransfer in the account as "backTransfer" says, "settings apply" does; or correct the config.',
  reference: undefined,
  needs: READ_ACCOUNT,
  phase: 'judge',
  evaluate: onAccount('enable_cookie_backtransfer', ({ options, wanted }) => {
    const wants = wanted.enable_cookie_backtransfer
    if ((options.enable_cookie_backtransfer ?? false) === wants) return pass
    return fail(
      `Back-transfer is ${wants ? 'off' : 'on'} in the account and ${wants ? 'on' : 'off'} in the config`,
      `Set enable_cookie_backtransfer to ${wants} (continuation-point settings apply), or "backTransfer" to ${!wants}`,
      toColumns(wants, options.enable_cookie_backtransfer, undefined),
    )
  }),
}
