/** Parses a day, which starts at midnight UTC, or an ISO 8601 timestamp with a zone, to milliseconds since the epoch. */
export function parseMoment(text: string): { readonly ms: number } | { readonly reason: string } {
  const [, day, time, zone] = PATTERN.exec(text) ?? []
  if (day === undefined)
    return { reason: 'is neither a day such as 2026-01-31 nor a time such as 2026-01-31T12:00:00Z' }
  if (time !== undefined && zone === undefined)
    return { reason: 'has a time without a time zone: add Z, or +01:00' }
  const ms = Date.parse(time === undefined ? `${day}T00:00:00Z` : text)
  // Date.parse accepts 31 February as a day of March.
  const isReal = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  return isReal ? { ms } : { reason: 'is not a date' }
}

const PATTERN = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/
