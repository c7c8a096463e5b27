import { BlockList, isIP } from 'node:net'
import { type Fields, valuesOf } from '../../http/fields.ts'
import { refused } from '../rest/reply.ts'

/**
 * The refusal of a request that may not reach the controls. They need no key, so a page of another origin in a developer's
 * browser must not reach them: it can send a simple request without a preflight, but it can't hide its origin. Programs
 * send neither Sec-Fetch-Site nor Origin.
 *
 * @param address the peer's IP address; absent if its socket is closed
 */
export function refuseControl(fields: Fields, address: string | undefined): Response | undefined {
  if (!isLoopback(address)) {
    return refused(403, { address: ['The controls refuse requests from other machines.'] })
  }
  if (!isOwnPage(fields)) {
    return refused(403, { origin: ['The controls refuse requests from pages of other origins.'] })
  }
  if (hasBody(fields) && !isJson(fields)) {
    return refused(415, { body: ['It must have the Content-Type application/json.'] })
  }
  return undefined
}

/** Fetch Metadata, section 2.4 (Sec-Fetch-Site); Fetch, section 3.2 (Origin). The stand-in speaks plain http. */
function isOwnPage(fields: Fields): boolean {
  const own = `http://${valuesOf(fields, 'host')[0] ?? ''}`.toLowerCase()
  const sites = valuesOf(fields, 'sec-fetch-site')
  const origins = valuesOf(fields, 'origin')
  return (
    sites.length <= 1 &&
    sites.every((site) => site === 'same-origin' || site === 'none') &&
    origins.length <= 1 &&
    origins.every((origin) => origin === own)
  )
}

function hasBody(fields: Fields): boolean {
  const [length = '0'] = valuesOf(fields, 'content-length')
  return Number(length) > 0 || valuesOf(fields, 'transfer-encoding').length > 0
}

function isJson(fields: Fields): boolean {
  const [type = '', ...more] = valuesOf(fields, 'content-type')
  return more.length === 0 && /^application\/json\s*(?:;|$)/i.test(type)
}

function isLoopback(address = ''): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** An IPv4 block includes IPv4-mapped IPv6 addresses. */
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
