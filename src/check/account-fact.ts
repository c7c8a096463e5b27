import type { DerivedSettings } from '../config/derived-settings.ts'
import type { Location } from '../config/problem.ts'
import type { AccountSettings } from '../config/settings-difference.ts'

/** What an account says, against what the config wants it to say. */
export interface AccountFact {
  /** How it is told from the others; absent when there is one account alone. */
  readonly name: string | undefined
  /** Numbers of its points in the config. */
  readonly points: readonly number[]
  /** Where its REST key stands, or would stand: `apiKey`, `points[2].apiKey`. */
  readonly setting: string
  readonly location: Location
  readonly said: AccountSaid
}

export type AccountSaid =
  | {
      readonly kind: 'options'
      readonly options: AccountSettings
      readonly wanted: DerivedSettings
      /** `both`: the REST key and the widget key gave the same. */
      readonly keys: 'both' | 'one'
    }
  /** The REST key and the widget key gave two accounts. */
  | { readonly kind: 'two' }
  /** `reason`: why it could not be read, and the next step, as a clause. */
  | { readonly kind: 'unread'; readonly reason: string }
