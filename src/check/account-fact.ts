import type { DerivedSettings } from '../config/derived-settings.ts'
import type { AccountSettings } from '../config/settings-difference.ts'

/** What the account says, against what the config wants it to say. */
export type AccountFact =
  | { readonly kind: 'options'; readonly options: AccountSettings; readonly wanted: DerivedSettings }
  /** `reason`: why it could not be read, and the next step, as a clause. */
  | { readonly kind: 'unread'; readonly reason: string }
