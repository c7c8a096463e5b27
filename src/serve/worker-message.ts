import type { FileTexts } from './file-texts.ts'
import type { MetricsSnapshot } from './metrics.ts'

/** Messages of the primary process to a worker. */
export type ToWorker =
  /** The reply to `ready`. Every worker uses the files as the primary process read them, even if they have changed since. */
  | { readonly kind: 'serve'; readonly files: FileTexts }
  | { readonly kind: 'reload'; readonly files: FileTexts }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'drain'; readonly deadlineMs: number }
  | { readonly kind: 'cut' }

/** Messages of a worker to the primary process. */
export type FromWorker =
  /** It listens for messages from now on; earlier ones are lost. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'not-listening'; readonly code: string }
  | { readonly kind: 'snapshot'; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'drained'; readonly cut: number }
