/** A half-open part of a range of time. ISO 8601, UTC. */
export interface Slice {
  readonly min_date: string
  readonly max_date: string
}

/**
 * Cuts a range into at most 30 parts of equal length, none shorter than an hour. A part that is exported need not be fetched
 * again; but each part costs one of the 100 calls that the service allows in a minute. The same range gives the same parts.
 *
 * @param range milliseconds since the epoch; the end is exclusive
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
