import type { Problem } from '../config/problem.ts'
import type { FileTexts } from './file-texts.ts'
import type { FixedAtStart } from './fixed-at-start.ts'
import type { MetricsSnapshot } from './metrics.ts'

/**
 * The version of these messages. After an upgrade of the package, new workers may be of another version than the primary
 * process; with another number here they would misunderstand each other.
 */
export const PROTOCOL = 2

/** Messages of the primary process to a worker. */
export type ToWorker =
  /** The reply to `ready`. Every worker uses the files as the primary process read them, even if they have changed since. */
  | { readonly kind: 'serve'; readonly files: FileTexts; readonly fixed: FixedAtStart }
  /** `reload` numbers them, from 1 for each worker. */
  | { readonly kind: 'reload'; readonly files: FileTexts; readonly reload: number }
  | { readonly kind: 'snapshot' }
  /** Asks for a sign of life: `pong`. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'drain'; readonly deadlineMs: number; readonly idleGraceMs?: number | undefined }
  | { readonly kind: 'cut' }

/** Messages of a worker to the primary process. */
export type FromWorker =
  /** It listens for messages from now on; earlier ones are lost. */
  | { readonly kind: 'ready'; readonly protocol: number; readonly version: string }
  | { readonly kind: 'pong' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'not-listening'; readonly code: string }
  /** It uses the files of this reload. */
  | { readonly kind: 'reloaded'; readonly reload: number }
  /** The config is not valid for its version of the package. It keeps the one it has; 0 stands for the one to start with. */
  | { readonly kind: 'config-refused'; readonly reload: number; readonly problems: readonly Problem[] }
  | { readonly kind: 'snapshot'; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'drained'; readonly cut: number }
