import { type Fields, hasField, listMembers, valuesOf } from '../http/fields.ts'
import { connectionOptions, HOP_BY_HOP } from '../http/hop-by-hop.ts'
import { remember } from '../http/remember.ts'
import { CACHE_OVERRIDES, lowerCased, NOT_STORED, ORIGIN_WIDE } from './field-law.ts'

/** The head of the service's answer as a client gets it. */
export interface DownstreamHead {
  readonly status: number
  readonly fields: string[]
  /** `none` for answers that never carry a body whatever their fields say (RFC 9112 section 6.3). */
  readonly body: 'none' | 'some'
}

/**
 * Turns the service's answer head into ours: hop-by-hop and Connection-named fields go, and so do fields that would
 * take effect on the customer's whole origin, or have a cache store what is not to be stored. Everything else stays as
 * it came, line by line.
 *
 * @returns `undefined` when the status is not one that HTTP knows (RFC 9110 section 15), or when a transfer coding
 * other than chunked was applied, which nobody asked for and we can't take off (RFC 9112 section 6.1)
 */
export function toDownstreamHead(method: string, status: number, fields: Fields): DownstreamHead | undefined {
  if (status < 200 || status > 599 || hasForeignCoding(fields)) return undefined
  const options = connectionOptions(fields)
  const downstream: string[] = []
  let cacheControl: string | undefined
  let hasOverride = 'no'
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    const fate = fateOf(name)
    if (fate === 'stripped' || options?.has(name.toLowerCase()) === true) continue
    if (fate === 'length' && status === 204) continue
    const value = fields[i + 1] as string
    if (fate === 'cache-control')
      cacheControl = cacheControl === undefined ? value : `${cacheControl}, ${value}`
    if (fate === 'cache-override') hasOverride = 'yes'
    downstream.push(name, value)
  }
  if (cacheControl === undefined) downstream.push('Cache-Control', NOT_STORED)
  return {
    status,
    fields:
      hasOverride === 'yes' && forbidsToStore(cacheControl ?? NOT_STORED)
        ? withoutOverrides(downstream)
        : downstream,
    body: method === 'HEAD' || status === 204 || status === 304 ? 'none' : 'some',
  }
}

/** What becomes of a field of an answer, by its name. */
const fateOf = remember((name): 'kept' | 'stripped' | 'length' | 'cache-control' | 'cache-override' => {
  const lowerName = name.toLowerCase()
  if (HOP_BY_HOP.has(lowerName) || ORIGIN_WIDE_NAMES.has(lowerName)) return 'stripped'
  if (CACHE_OVERRIDE_NAMES.has(lowerName)) return 'cache-override'
  if (lowerName === 'content-length') return 'length'
  return lowerName === 'cache-control' ? 'cache-control' : 'kept'
})

function hasForeignCoding(fields: Fields): boolean {
  if (!hasField(fields, 'transfer-encoding')) return false
  return valuesOf(fields, 'transfer-encoding').join().toLowerCase() !== 'chunked'
}

/** Whether a shared cache must not store the answer (RFC 9111 section 5.2.2); `private` with field names counts too. */
function forbidsToStore(cacheControl: string): boolean {
  return listMembers([cacheControl]).some((directive) => /^(?:no-store|private)\s*(?:=|$)/i.test(directive))
}

function withoutOverrides(fields: Fields): string[] {
  return fields.filter((_text, at) => fateOf(fields[at - (at % 2)] ?? '') !== 'cache-override')
}

const ORIGIN_WIDE_NAMES = lowerCased(ORIGIN_WIDE)
const CACHE_OVERRIDE_NAMES = lowerCased(CACHE_OVERRIDES)
