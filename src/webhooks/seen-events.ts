/** Remembers which events were delivered before. Several processes share one, for instance in Redis (docs/webhooks.md). */
export interface SeenEvents {
  /**
   * Stores a key. If it throws or rejects, that is reported as a `store` error, and the event counts as new.
   *
   * @param key category, then the id of the session or the digest of the body; it contains no secret
   * @returns true the first time, false afterwards
   */
  claim(key: string): boolean | Promise<boolean>
}

/**
 * Remembers events in this process, and forgets the oldest first.
 *
 * @param limit how many events it remembers; default 10 000
 * @throws RangeError if it is not a positive integer
 *
 * @example
 * import { createWebhookReceiver, memorySeenEvents } from 'continuation-point/webhooks'
 *
 * const receiver = createWebhookReceiver({
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 *   seen: memorySeenEvents({ limit: 1000 }),
 *   onEvent: ({ session }) => console.log(session.formatted_id),
 *   onError: (error) => console.error(error.message),
 * })
 */
export function memorySeenEvents({
  limit = 10_000,
}: {
  readonly limit?: number | undefined
} = {}): SeenEvents {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit is not a whole number from 1')
  const seen = new Set<string>()
  return {
    claim(key) {
      if (seen.has(key)) return false
      seen.add(key)
      for (const oldest of seen) {
        if (seen.size <= limit) break
        seen.delete(oldest)
      }
      return true
    },
  }
}
