import type { FileTexts } from './file-texts.ts'
import type { MetricsSnapshot } from './metrics.ts'

/** What the primary process tells a worker. */
export type ToWorker =
  /** The answer to `ready`. Every worker serves what the primary process loaded, whatever the disk holds by now. */
  | { readonly kind: 'serve'; readonly files: FileTexts }
  | { readonly kind: 'reload'; readonly files: FileTexts }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'drain'; readonly deadlineMs: number }
  | { readonly kind: 'cut' }

/** What a worker tells the primary process. */
export type FromWorker =
  /** It hears from now on; what was sent before is lost. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'not-listening'; readonly code: string }
  | { readonly kind: 'snapshot'; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'drained'; readonly cut: number }
