import type { Logger } from 'pino'
import { type ExchangeRecord, sourceOf } from '../proxy/exchange-record.ts'

/** How the client's address appears in the log. */
export type AddressForm = 'omit' | 'truncated' | 'full'

/**
 * Logs one line for each exchange. The line is an allow-list: ids, the point from our own config, method, numbers, and
 * values from closed tables. Nothing of the path after the prefix, of a query, a field or a body can get into it. Only at
 * `debug` does a request that no point owns also show the received authority and scheme.
 *
 * @returns a function to be called when an exchange ends
 */
export function accessLog(log: Logger, addressForm: AddressForm): (record: ExchangeRecord) => void {
  return (record) => {
    const line = {
      id: record.id,
      method: record.method,
      point: record.point?.url,
      status: record.status,
      outcome: record.outcome,
      code: record.code,
      durationMs: rounded(record.durationMs),
      upstreamMs: record.upstreamMs === undefined ? undefined : rounded(record.upstreamMs),
      requestOctets: record.requestOctets,
      responseOctets: record.responseOctets,
      client: toLoggedAddress(record.peerAddress, addressForm),
    }
    const { addressed } = record
    if (addressed !== undefined && ADDRESS_MATTERS.has(record.status ?? 0) && log.isLevelEnabled('debug')) {
      const { authority, scheme } = addressed
      Object.assign(line, { authority: authority.slice(0, MOST_CHARACTERS), scheme })
    }
    const source = sourceOf(record.outcome)
    if (source === 'upstream') log.error(line, 'exchange')
    else if (source === 'none') log.info(line, 'exchange')
    else log.warn(line, 'exchange')
  }
}

/** `truncated` keeps the network part: 24 bits of an IPv4 address, 48 of an IPv6 one. */
export function toLoggedAddress(address: string, form: AddressForm): string | undefined {
  if (form === 'omit' || address === '') return undefined
  if (form === 'full') return address
  if (!address.includes(':')) return address.replace(/\.[0-9]+$/, '.0')
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::')
  const heads = head === '' ? [] : head.split(':')
  const tails = tail === '' ? [] : tail.split(':')
  const groups = address.includes('::')
    ? [...heads, ...Array(8 - heads.length - tails.length).fill('0'), ...tails]
    : heads
  return `${groups.slice(0, 3).join(':')}::`
}

/** At `debug` these show the received address: the usual cause is a front end that sends another Host than the config has. */
const ADDRESS_MATTERS: ReadonlySet<number> = new Set([404, 408, 421, 431])

/** The longest name that DNS has, and a port. */
const MOST_CHARACTERS = 255 + 6

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
