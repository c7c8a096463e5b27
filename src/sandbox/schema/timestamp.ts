/** A time as the service writes it (spec 2): ISO 8601 UTC with microseconds. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/**
 * Parses an ISO 8601 timestamp to milliseconds since the epoch, without fractions of them.
 * **Ours:** a date alone means midnight, and the default zone is UTC.
 */
export function parseTimestamp(text: string): number | undefined {
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = ISO_8601.exec(text) ?? []
  // Date.parse takes 30 February for 2 March.
  if (date === undefined || !new Date(`${date}T00:00Z`).toJSON()?.startsWith(date)) return undefined
  const seconds = time.length === 5 ? ':00' : ''
  const ms = Date.parse(
    `${date}T${time}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone.replace(/(\d\d):?(\d\d)$/, '$1:$2')}`,
  )
  return Number.isNaN(ms) ? undefined : ms
}

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/
