import type { MetricsSnapshot } from '../proxy/metrics.ts'

/** What the primary process tells a worker. */
export type ToWorker =
  | { readonly kind: 'reload' }
  | { readonly kind: 'snapshot'; readonly ask: number }
  | { readonly kind: 'drain'; readonly deadlineMs: number }
  | { readonly kind: 'cut' }

/** What a worker tells the primary process. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'not-listening'; readonly code: string }
  | { readonly kind: 'snapshot'; readonly ask: number; readonly snapshots: readonly MetricsSnapshot[] }
  | { readonly kind: 'drained'; readonly cut: number }
