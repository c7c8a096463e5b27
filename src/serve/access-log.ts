import type { Logger } from 'pino'
import { type ExchangeRecord, sourceOf } from '../proxy/exchange-record.ts'

/** How the client's address appears in the log. */
export type AddressForm = 'omit' | 'truncated' | 'full'

/**
 * Logs one line for each exchange. The line is an allow-list: ids, the point from our own config, method, numbers, and
 * values from closed tables. Nothing of the path after the prefix, of a query, a field or a body can get into it. Only at
 * `debug` does a request that no point owns also show the received authority and scheme.
 *
 * @param writeInfo writes a line at level `info`, given what follows `level` and `time`
 * @returns a function to be called when an exchange ends
 */
export function accessLog(
  log: Logger,
  addressForm: AddressForm,
  writeInfo: (members: string) => void,
): (record: ExchangeRecord) => void {
  return (record) => {
    const source = sourceOf(record.outcome)
    if (source === 'none' && record.point !== undefined) {
      if (log.isLevelEnabled('info')) writeInfo(renderMembers(record, record.point.url, addressForm))
      return
    }
    const line = {
      id: record.id(),
      traceId: record.traceId(),
      method: record.method,
      point: record.point?.url,
      status: record.status,
      outcome: record.outcome,
      code: record.code,
      durationMs: rounded(record.durationMs),
      upstreamMs: record.upstreamMs === undefined ? undefined : rounded(record.upstreamMs),
      requestOctets: record.requestOctets,
      responseOctets: record.responseOctets,
      client: redactAddress(record.peerAddress, addressForm),
    }
    const { addressed } = record
    if (addressed !== undefined && ADDRESS_MATTERS.has(record.status ?? 0) && log.isLevelEnabled('debug')) {
      const { authority, scheme } = addressed
      Object.assign(line, { authority: authority.slice(0, MOST_CHARACTERS), scheme })
    }
    if (source === 'upstream') log.error(line, 'exchange')
    else if (source === 'none') log.info(line, 'exchange')
    else log.warn(line, 'exchange')
  }
}

/** The line of an ordinary exchange as the logger would render it, at a quarter of its cost. */
function renderMembers(record: ExchangeRecord, point: string, addressForm: AddressForm): string {
  const { id, traceId, method, status, outcome, code, durationMs, upstreamMs } = record
  const { requestOctets, responseOctets } = record
  const client = redactAddress(record.peerAddress, addressForm)
  const optional = (name: string, value: string | number | undefined) =>
    value === undefined ? '' : `,"${name}":${typeof value === 'number' ? value : JSON.stringify(value)}`
  return (
    `"id":"${id()}"${optional('traceId', traceId())},"method":${JSON.stringify(method)},"point":${JSON.stringify(point)}${optional('status', status)},` +
    `"outcome":"${outcome}"${optional('code', code)},"durationMs":${rounded(durationMs)}` +
    `${optional('upstreamMs', upstreamMs && rounded(upstreamMs))},"requestOctets":${requestOctets},` +
    `"responseOctets":${responseOctets}${optional('client', client)},"msg":"exchange"`
  )
}

/** `truncated` keeps the network part: 24 bits of an IPv4 address, 48 of an IPv6 one. */
export function redactAddress(address: string, form: AddressForm): string | undefined {
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
