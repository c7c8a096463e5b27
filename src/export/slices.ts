/** A part of a range of time, from its start and up to its end, which belongs to the next one. ISO 8601, UTC. */
export interface Slice {
  readonly min_date: string
  readonly max_date: string
}

/**
 * Cuts a range into at most 30 parts of equal length, none shorter than an hour. What is exported of one part never has
 * to be asked for again; and each part costs a call, of the 100 that the service allows in a minute. The same range gives
 * the same parts.
 *
 * @param range milliseconds since the epoch, its end excluded
 */
export function toSlices({
  fromMs,
  toMs,
}: {
  readonly fromMs: number
  readonly toMs: number
}): readonly Slice[] {
  const lengthMs = Math.max(hourMs, Math.ceil((toMs - fromMs) / mostSlices))
  const count = Math.ceil((toMs - fromMs) / lengthMs)
  return Array.from({ length: count }, (_, index) => ({
    min_date: new Date(fromMs + index * lengthMs).toISOString(),
    max_date: new Date(Math.min(fromMs + (index + 1) * lengthMs, toMs)).toISOString(),
  }))
}

const mostSlices = 30

const hourMs = 3_600_000
