import type { Rule, RulesById } from '../rule.ts'
import { accountRules } from './account.ts'
import { configRules } from './config.ts'
import { cookieCarriageRules } from './cookie-carriage.ts'
import { cookieEntryRules } from './cookie-entry.ts'
import { cookieListRules } from './cookie-list.ts'
import { cached } from './live/cached.ts'
import { connectionRules } from './live/connection.ts'
import { cors } from './live/cors.ts'
import { forwarded } from './live/forwarded.ts'
import { headerSize } from './live/header-size.ts'
import { methods } from './live/methods.ts'
import { ownFieldRules } from './live/own-fields.ts'
import { redirect } from './live/redirect.ts'
import { setCookie } from './live/set-cookie.ts'
import { pageRules } from './page.ts'
import { serviceRules } from './service.ts'
import { urlTextRules } from './url-text.ts'
import { urlUseRules } from './url-use.ts'

/** Every rule, in the order of reports. */
export const rules: readonly Rule[] = [
  ...listed({
    ...urlTextRules,
    ...urlUseRules,
    ...pageRules,
    ...cookieEntryRules,
    ...cookieCarriageRules,
    ...cookieListRules,
    ...serviceRules,
    ...accountRules,
    ...connectionRules,
  }),
  redirect,
  forwarded,
  ...listed(ownFieldRules),
  methods,
  setCookie,
  cached,
  headerSize,
  cors,
  ...listed(configRules),
]

function listed(byId: RulesById): readonly Rule[] {
  return Object.entries(byId).map(([id, rule]) => ({ id, ...rule }))
}
