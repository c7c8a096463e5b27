import { type Fields, hasField, valuesOf } from '../http/fields.ts'
import { connectionOptions, HOP_BY_HOP } from '../http/hop-by-hop.ts'
import { remember } from '../http/remember.ts'

/** The head of the service's answer as a client gets it. */
export interface DownstreamHead {
  readonly status: number
  readonly fields: string[]
  /** `none` for answers that never carry a body whatever their fields say (RFC 9112 section 6.3). */
  readonly body: 'none' | 'some'
}

/**
 * Turns the service's answer head into ours: hop-by-hop and Connection-named fields go, and so do fields that would
 * take effect on the customer's whole origin. Everything else stays as it came, line by line.
 *
 * @returns `undefined` when the status is not one that HTTP knows (RFC 9110 section 15), or when a transfer coding
 * other than chunked was applied, which nobody asked for and we can't take off (RFC 9112 section 6.1)
 */
export function toDownstreamHead(method: string, status: number, fields: Fields): DownstreamHead | undefined {
  if (status < 200 || status > 599 || hasForeignCoding(fields)) return undefined
  const options = connectionOptions(fields)
  const downstream: string[] = []
  let hasCacheControl = 'no'
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    const fate = fateOf(name)
    if (fate === 'stripped' || options?.has(name.toLowerCase()) === true) continue
    if (fate === 'length' && status === 204) continue
    if (fate === 'cache-control') hasCacheControl = 'yes'
    downstream.push(name, fields[i + 1] as string)
  }
  if (hasCacheControl === 'no') downstream.push('Cache-Control', 'private, no-store')
  return {
    status,
    fields: downstream,
    body: method === 'HEAD' || status === 204 || status === 304 ? 'none' : 'some',
  }
}

/** What becomes of a field of an answer, by its name. */
const fateOf = remember((name): 'kept' | 'stripped' | 'length' | 'cache-control' => {
  const lowerName = name.toLowerCase()
  if (HOP_BY_HOP.has(lowerName) || ORIGIN_WIDE.has(lowerName)) return 'stripped'
  if (lowerName === 'content-length') return 'length'
  return lowerName === 'cache-control' ? 'cache-control' : 'kept'
})

function hasForeignCoding(fields: Fields): boolean {
  if (!hasField(fields, 'transfer-encoding')) return false
  return valuesOf(fields, 'transfer-encoding').join().toLowerCase() !== 'chunked'
}

/**
 * Fields whose effect reaches past the answer to the whole origin, which is the customer's and not the service's:
 * RFC 7838 (Alt-Svc), RFC 6797 (Strict-Transport-Security), RFC 7469, W3C Clear-Site-Data, Network Error Logging and
 * Reporting, RFC 9163 (Expect-CT).
 */
const ORIGIN_WIDE: ReadonlySet<string> = new Set([
  'alt-svc',
  'strict-transport-security',
  'public-key-pins',
  'public-key-pins-report-only',
  'clear-site-data',
  'nel',
  'report-to',
  'reporting-endpoints',
  'expect-ct',
])
