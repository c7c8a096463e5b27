export type Phase = keyof typeof MOVES

/**
 * The phases of an exchange, each with those that may follow. From each it may become `closed`. A request is sent again
 * if its connection broke before a response, and then starts once more.
 */
const MOVES = {
  /** The request is being judged. */
  new: ['arriving', 'queued', 'flushing'],
  /** Its body has not begun to arrive. */
  arriving: ['queued', 'flushing'],
  /** It waits for a connection to the service. */
  queued: ['uploading', 'waiting', 'flushing'],
  uploading: ['uploading', 'waiting', 'responding', 'flushing'],
  /** All of it is sent; the head of the response has not come. */
  waiting: ['waiting', 'responding', 'flushing'],
  responding: ['flushing'],
  /** The response is complete, and not all of it is with the kernel, or the client is still uploading. */
  flushing: [],
  closed: [],
} as const satisfies Record<string, readonly string[]>

export const PHASES = Object.keys(MOVES) as readonly Phase[]

/** Whether an exchange in one phase may go on with the other. */
export function mayFollow(phase: Phase, next: Phase): boolean {
  const followers: readonly string[] = MOVES[phase]
  return next === 'closed' ? phase !== 'closed' : followers.includes(next)
}
