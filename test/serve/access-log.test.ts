import { expect, it } from 'vitest'
import { accessLog, redactAddress } from '../../src/serve/access-log.ts'
import { openLog, writeMembers } from '../../src/serve/log.ts'
import { aRecord } from './a-record.ts'

it.each([
  ['an ordinary exchange', {}],
  ['without an address', { peerAddress: '' }],
  ['a code, and figures to round', { code: 'ENDED_BY_CLOSE', durationMs: 12.3456, upstreamMs: 0.0012 }],
  ['a redirect of our own', { outcome: 'redirect', status: 308, upstreamMs: undefined, responseOctets: 7 }],
  ['no status', { status: undefined }],
  ['a trace', { traceId: () => '4bf92f3577b34da6a3ce929d0e0e4736' }],
  ['characters that JSON escapes', { method: '"\\' }],
  ['a fault of the service', { outcome: 'upstream-head-timeout', status: 502, code: 'UND_ERR' }],
  [
    'an address that no point has',
    {
      outcome: 'unknown-authority',
      status: 421,
      point: undefined,
      addressed: { authority: 'x"', scheme: 'https' },
    },
  ],
] as const)('writes a line as the logger does: %s', (_, changes) => {
  const lines: string[] = []
  const output = {
    write: (line: string) => void lines.push(line),
    lostLines: () => 0,
    close: () => Promise.resolve('taken' as const),
  }
  const log = openLog(output)
  log.level = 'debug'
  const record = aRecord(changes)
  accessLog(log, 'full', (level, members) => writeMembers(output, level, members))(record)
  const { peerAddress, addressed, point, durationMs, upstreamMs, ...rest } = record
  const round = (ms: number) => Math.round(ms * 100) / 100
  const { requestOctets, responseOctets, id, traceId, method, status, outcome, code } = rest
  const client = peerAddress === '' ? undefined : peerAddress
  const level = status === 502 ? 'error' : outcome === 'unknown-authority' ? 'warn' : 'info'
  log[level](
    {
      ...{ id: id(), traceId: traceId(), method, point: point?.url, status, outcome, code },
      durationMs: round(durationMs),
      ...{ upstreamMs: upstreamMs === undefined ? undefined : round(upstreamMs), requestOctets },
      ...{ responseOctets, client },
      ...(addressed && { authority: addressed.authority, scheme: addressed.scheme }),
    },
    'exchange',
  )
  const [line = '', expected = ''] = lines.map((each) => each.replace(/"time":"[^"]*"/, ''))
  expect(line).toBe(expected)
  expect(line).toMatch(/^\{"level":"(?:info|warn|error)",.*"msg":"exchange"\}\n$/)
})

it('writes no line that the level excludes', () => {
  const log = openLog({ write: () => {}, lostLines: () => 0, close: () => Promise.resolve('taken') })
  log.level = 'warn'
  accessLog(log, 'full', () => expect.unreachable())(aRecord())
})

it.each([
  ['truncated', '192.0.2.129', '192.0.2.0'],
  ['truncated', '10.0.0.1', '10.0.0.0'],
  ['truncated', '255.255.255.255', '255.255.255.0'],
  ['truncated', '2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::'],
  ['truncated', '2001:db8::1', '2001:db8:0::'],
  ['truncated', '2001:db8:1::', '2001:db8:1::'],
  ['truncated', '2001::8d3:1319:8a2e:370:7348', '2001:0:0::'],
  ['truncated', '::1', '0:0:0::'],
  ['truncated', 'fe80::1%eth0', 'fe80:0:0::'],
  ['truncated', '::', '0:0:0::'],
  ['truncated', '1:2::4:5:6:7:8%eth0:1', '1:2:0::'],
  ['truncated', '', undefined],
  ['full', '192.0.2.129', '192.0.2.129'],
  ['full', '2001:db8::1', '2001:db8::1'],
  ['full', '', undefined],
  ['omit', '192.0.2.129', undefined],
  ['omit', '2001:db8::1', undefined],
  ['omit', '', undefined],
] as const)('log.clientAddress "%s" writes the address "%s" as %s', (form, address, logged) => {
  expect(redactAddress(address, form)).toBe(logged)
})
