import { type Fields, hasField, listMembers, valuesOf } from '../http/fields.ts'
import { connectionOptions } from '../http/hop-by-hop.ts'
import { remember } from '../http/remember.ts'
import { isCacheOverride, isStrippedFromResponse, NOT_STORED } from './field-rules.ts'

/** The head of the service's response as it is sent to the client. */
export interface DownstreamHead {
  readonly status: number
  readonly fields: string[]
  /**
   * `none` for responses that never have a body, whatever their fields say; `until-close` for a body that ends with its
   * connection (RFC 9112 section 6.3).
   */
  readonly body: 'none' | 'framed' | 'until-close'
}

/**
 * Converts the head of the service's response for the client: removes hop-by-hop fields, those that Connection lists,
 * those that affect the customer's whole origin or that front ends obey, and those that make a cache store what must not
 * be stored. All other field lines are unchanged.
 *
 * @returns `undefined` if HTTP does not define the status (RFC 9110 section 15), or if there is a transfer coding other
 * than chunked, which was not requested and can't be decoded here (RFC 9112 section 6.1)
 */
export function toDownstreamHead(method: string, status: number, fields: Fields): DownstreamHead | undefined {
  const coding = codingOf(fields)
  if (status < 200 || status > 599 || coding === 'foreign') return undefined
  let isFramed = coding === 'chunked'
  const options = connectionOptions(fields)
  const downstream: string[] = []
  let cacheControl: string | undefined
  let hasOverride = false
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    const fate = fateOf(name)
    // The length goes on even if Connection names it: without it, a body that is cut could look complete.
    if (fate === 'stripped' || (fate !== 'length' && options?.has(name.toLowerCase()) === true)) continue
    if (fate === 'length') isFramed = true
    if (fate === 'length' && status === 204) continue
    const value = fields[i + 1] as string
    if (fate === 'cache-control')
      cacheControl = cacheControl === undefined ? value : `${cacheControl}, ${value}`
    if (fate === 'cache-override') {
      // Surrogate-Control: content="ESI/1.0" makes a cache run the body, which may include any page of the site.
      if (/\bcontent\s*=/i.test(value)) continue
      hasOverride = true
    }
    downstream.push(name, value)
  }
  if (cacheControl === undefined) downstream.push('Cache-Control', NOT_STORED)
  return {
    status,
    fields:
      hasOverride && forbidsToStore(cacheControl ?? NOT_STORED) ? withoutOverrides(downstream) : downstream,
    body:
      method === 'HEAD' || status === 204 || status === 304 ? 'none' : isFramed ? 'framed' : 'until-close',
  }
}

/** How a response field is treated, by its name. */
const fateOf = remember((name): 'kept' | 'stripped' | 'length' | 'cache-control' | 'cache-override' => {
  const lowerName = name.toLowerCase()
  if (isStrippedFromResponse(lowerName)) return 'stripped'
  if (isCacheOverride(lowerName)) return 'cache-override'
  if (lowerName === 'content-length') return 'length'
  return lowerName === 'cache-control' ? 'cache-control' : 'kept'
})

function codingOf(fields: Fields): 'none' | 'chunked' | 'foreign' {
  if (!hasField(fields, 'transfer-encoding')) return 'none'
  return valuesOf(fields, 'transfer-encoding').join().toLowerCase() === 'chunked' ? 'chunked' : 'foreign'
}

/** Whether a shared cache must not store the response (RFC 9111 section 5.2.2); `private` with field names counts too. */
function forbidsToStore(cacheControl: string): boolean {
  return listMembers([cacheControl]).some((directive) => /^(?:no-store|private)\s*(?:=|$)/i.test(directive))
}

function withoutOverrides(fields: Fields): string[] {
  return fields.filter((_text, at) => fateOf(fields[at - (at % 2)] ?? '') !== 'cache-override')
}
