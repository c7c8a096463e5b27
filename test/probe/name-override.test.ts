import { expect, it } from 'vitest'
import { parseNameOverride } from '../../src/probe/name-override.ts'

it.each([
  ['www.example.com:127.0.0.1', { host: 'www.example.com', port: undefined, address: '127.0.0.1' }],
  ['WWW.Example.com:443:127.0.0.1', { host: 'www.example.com', port: 443, address: '127.0.0.1' }],
  ['bücher.example:127.0.0.1', { host: 'xn--bcher-kva.example', port: undefined, address: '127.0.0.1' }],
  ['a.example:::1', { host: 'a.example', port: undefined, address: '::1' }],
  ['a.example:443:::1', { host: 'a.example', port: 443, address: '::1' }],
  ['a.example:[2001:db8::1]', { host: 'a.example', port: undefined, address: '2001:db8::1' }],
  ['a.example:443:[2001:db8::1]', { host: 'a.example', port: 443, address: '2001:db8::1' }],
  ['a.example:2001:db8::1', 'write the IPv6 address in brackets'],
  ['a.example', 'it is neither HOST:IP nor HOST:PORT:IP'],
  ['a.example:', 'it is neither HOST:IP nor HOST:PORT:IP'],
  ['a.example:b.example', 'it is neither HOST:IP nor HOST:PORT:IP'],
  ['a.example:443:b.example', 'it is neither HOST:IP nor HOST:PORT:IP'],
  ['a.example:0:127.0.0.1', '0 is not a port'],
  ['a.example:70000:127.0.0.1', '70000 is not a port'],
  ['a b:127.0.0.1', '"a b" is not a host'],
])('%s', (text, expected) => {
  expect(parseNameOverride(text)).toEqual(expected)
})
