/**
 * Parses a duration of the config, `250ms`, `5s`, `2m` or `1h`: a whole number and its unit.
 *
 * @returns milliseconds from 1 to 24 hours, or why it is not valid, as a clause
 */
export function parseDuration(text: string): { readonly ms: number } | { readonly reason: string } {
  const [, digits, unit] = /^(\d{1,12})(ms|s|m|h)$/.exec(text) ?? []
  if (digits === undefined || unit === undefined) return { reason: 'not a duration' }
  const ms = Number(digits) * MS_BY_UNIT[unit as keyof typeof MS_BY_UNIT]
  if (ms === 0) return { reason: 'zero: every exchange would time out at once' }
  if (ms > LONGEST_MS) return { reason: 'longer than 24 hours' }
  return { ms }
}

const LONGEST_MS = 24 * 60 * 60 * 1000

const MS_BY_UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
