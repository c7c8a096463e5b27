import type { Logger } from 'pino'
import { type ExchangeRecord, sourceOf } from '../proxy/exchange-record.ts'

export type LineLevel = (typeof LEVELS)[keyof typeof LEVELS]

/** How the client's address appears in the log. */
export type AddressForm = 'omit' | 'truncated' | 'full'

/**
 * Logs one line for each exchange. The line is an allow-list: ids, the point from our own config, method, numbers, and
 * values from closed tables. Nothing of the path after the prefix, of a query, a field or a body can get into it. Only at
 * `debug` does a request that no point owns also show the received authority and scheme.
 *
 * @param write writes a line, given its level and what follows that and the time
 * @returns a function to be called when an exchange ends
 */
export function accessLog(
  log: Pick<Logger, 'isLevelEnabled'>,
  addressForm: AddressForm,
  write: (level: LineLevel, members: string) => void,
): (record: ExchangeRecord) => void {
  return (record) => {
    const level = LEVELS[sourceOf(record.outcome)]
    if (!log.isLevelEnabled(level)) return
    const { addressed, status = 0 } = record
    const shown =
      addressed && ADDRESS_MATTERS.has(status) && log.isLevelEnabled('debug') ? addressed : undefined
    write(level, renderMembers(record, redactAddress(record.peerAddress, addressForm), shown))
  }
}

/** Renders the members of a line as the logger would, at a quarter of its cost. */
function renderMembers(
  record: ExchangeRecord,
  client: string | undefined,
  addressed: ExchangeRecord['addressed'],
): string {
  const { id, traceId, method, point, status, outcome, code, durationMs, upstreamMs } = record
  const { requestOctets, responseOctets } = record
  const optional = (name: string, value: string | number | undefined) =>
    value === undefined ? '' : `,"${name}":${typeof value === 'number' ? value : JSON.stringify(value)}`
  return (
    `"id":"${id()}"${optional('traceId', traceId())},"method":${JSON.stringify(method)}${optional('point', point?.url)}` +
    `${optional('status', status)},"outcome":"${outcome}"${optional('code', code)},"durationMs":${rounded(durationMs)}` +
    `${optional('upstreamMs', upstreamMs && rounded(upstreamMs))},"requestOctets":${requestOctets},` +
    `"responseOctets":${responseOctets}${optional('client', client)}` +
    `${optional('authority', addressed?.authority.slice(0, MOST_CHARACTERS))}${optional('scheme', addressed?.scheme)},"msg":"exchange"`
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

/** The level of a line, by the side that made the exchange fail. */
const LEVELS = { none: 'info', upstream: 'error', downstream: 'warn', proxy: 'warn' } as const

/** At `debug` these show the received address: the usual cause is a front end that sends another Host than the config has. */
const ADDRESS_MATTERS: ReadonlySet<number> = new Set([404, 408, 421, 431])

/** The longest name that DNS has, and a port. */
const MOST_CHARACTERS = 255 + 6

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
