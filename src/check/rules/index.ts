import type { Rule, RulesById } from '../rule.ts'
import { accountRules } from './account.ts'
import { configRules } from './config.ts'
import { cookieCarriageRules } from './cookie-carriage.ts'
import { cookieEntryRules } from './cookie-entry.ts'
import { cookieListRules } from './cookie-list.ts'
import { cachedRules } from './live/cached.ts'
import { connectionRules } from './live/connection.ts'
import { corsRules } from './live/cors.ts'
import { errorRules } from './live/errors.ts'
import { forwardedRules } from './live/forwarded.ts'
import { methodRules } from './live/methods.ts'
import { outsideRules } from './live/outside.ts'
import { ownFieldRules } from './live/own-fields.ts'
import { redirectRules } from './live/redirect.ts'
import { responseSizeRules } from './live/response-size.ts'
import { setCookieRules } from './live/set-cookie.ts'
import { sizeRules } from './live/sizes.ts'
import { pageRules } from './page.ts'
import { serviceRules } from './service.ts'
import { urlTextRules } from './url-text.ts'
import { urlUseRules } from './url-use.ts'

const RULES_BY_ID: RulesById = {
  // A site whose cookies all leave it comes before whatever else is wrong.
  ...outsideRules,
  ...urlTextRules,
  ...urlUseRules,
  ...pageRules,
  ...cookieEntryRules,
  ...cookieCarriageRules,
  ...cookieListRules,
  ...serviceRules,
  ...accountRules,
  ...connectionRules,
  ...redirectRules,
  ...forwardedRules,
  ...ownFieldRules,
  ...methodRules,
  ...setCookieRules,
  ...cachedRules,
  ...sizeRules,
  ...responseSizeRules,
  ...errorRules,
  ...corsRules,
  ...configRules,
}

/** Every rule, in the order of reports. */
export const rules: readonly Rule[] = Object.entries(RULES_BY_ID).map(([id, rule]) => ({
  id,
  severity: 'error',
  ...rule,
}))
