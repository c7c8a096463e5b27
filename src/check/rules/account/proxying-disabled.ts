import { fail, pass, type Rule } from '../../rule.ts'
import { columnsEvidence, observedAllowed, onAccount, READ_ACCOUNT } from './on-account.ts'

export const proxyingDisabled: Rule = {
  id: 'account/proxying-disabled',
  severity: 'error',
  title: 'The account uses continuation points',
  why: 'Without cookie_transfer_proxying the widget carries only the cookies that scripts can read, and never calls the points.',
  wrong: '"cookie_transfer_proxying": false',
  right: '"cookie_transfer_proxying": true',
  fix: 'Set cookie_transfer_proxying to true in the account; "settings apply" writes it.',
  needs: READ_ACCOUNT,
  evaluate: onAccount('cookie_transfer_proxying', ({ options }, facts) =>
    options.cookie_transfer_proxying === true
      ? pass
      : fail(
          'Continuation points are switched off in the account',
          'Set cookie_transfer_proxying to true (continuation-point settings apply does that)',
          columnsEvidence(true, options.cookie_transfer_proxying, observedAllowed(facts)),
        ),
  ),
}
