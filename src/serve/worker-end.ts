import type { Problem } from '../config/problem.ts'

/** Why a worker does not listen. */
export type StartFailure =
  | { readonly kind: 'not-listening'; readonly code: string }
  /** The system did not start the process. */
  | { readonly kind: 'not-started'; readonly code: string }
  | { readonly kind: 'died'; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'silent'; readonly waitedMs: number }
  | { readonly kind: 'config-refused'; readonly problems: readonly Problem[] }
  /** Its version of the package has other messages than this process. */
  | { readonly kind: 'other-protocol'; readonly version: string }

/** How a worker ended that had listened. */
export type WorkerEnd =
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  /** It was killed, because it had not answered for so long. */
  | { readonly kind: 'unresponsive'; readonly waitedMs: number }
