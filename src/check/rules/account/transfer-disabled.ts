import { fail, pass, type Rule } from '../../rule.ts'
import { columnsEvidence, observedAllowed, onAccount, READ_ACCOUNT } from './on-account.ts'

export const transferDisabled: Rule = {
  id: 'account/transfer-disabled',
  severity: 'error',
  title: 'The account has cookie transfer switched on',
  why: 'With cookie_transfer_enabled off no cookie is carried, however good the continuation points are.',
  wrong: '"cookie_transfer_enabled": false',
  right: '"cookie_transfer_enabled": true',
  fix: 'Set cookie_transfer_enabled to true in the account; "settings apply" writes it.',
  needs: READ_ACCOUNT,
  evaluate: onAccount('cookie_transfer_enabled', ({ options }, facts) =>
    options.cookie_transfer_enabled === true
      ? pass
      : fail(
          'Cookie transfer is switched off in the account',
          'Set cookie_transfer_enabled to true (continuation-point settings apply does that)',
          columnsEvidence(true, options.cookie_transfer_enabled, observedAllowed(facts)),
        ),
  ),
}
