import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { expandTrustedBlocks } from '../../src/config/judge.ts'
import { compilePeers } from '../../src/proxy/settings.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const PRIVATE = [...LOOPBACK, '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

describe('what listen.trustedProxies stands for', () => {
  it.each([
    [[], []],
    [['loopback'], LOOPBACK],
    [['private'], PRIVATE],
    [
      ['private', 'loopback', '192.0.2.7', '192.0.2.7'],
      [...PRIVATE, '192.0.2.7'],
    ],
  ])('%j: %j', (entries, blocks) => {
    expect(expandTrustedBlocks(entries)).toEqual(blocks)
  })

  it.each([
    [
      'private',
      [
        '10.0.0.0',
        '10.255.255.255',
        '172.16.0.0',
        '172.31.255.255',
        '192.168.0.0',
        '192.168.255.255',
        'fc00::',
        'fdff:ffff::1',
        '127.0.0.1',
        '127.255.255.255',
        '::1',
      ],
      [
        '9.255.255.255',
        '11.0.0.0',
        '172.15.255.255',
        '172.32.0.0',
        '192.167.255.255',
        '192.169.0.0',
        'fb00::1',
        'fe00::1',
        'fe80::1',
        '::2',
        '128.0.0.1',
        '::ffff:11.0.0.1',
        '',
      ],
    ],
    ['loopback', ['127.0.0.1', '::1'], ['10.0.0.1', '192.168.0.1', 'fd00::1']],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.6', '192.0.2.8', '127.0.0.1']],
    ['2001:db8::7', ['2001:db8::7'], ['2001:db8::8', '192.0.2.7']],
    ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1']],
  ])('%j trusts %j, and does not trust %j', (entry, trusted, others) => {
    const isTrusted = (address: string) =>
      compilePeers([entry])(Object.defineProperty(new Socket(), 'remoteAddress', { value: address }))
        .isTrusted
    expect(trusted.filter((address) => !isTrusted(address))).toEqual([])
    expect(others.filter(isTrusted)).toEqual([])
  })

  it.each(['::ffff:192.168.1.1', '::FFFF:192.168.1.1'])(
    '%s is an IPv4 address in another spelling',
    (address) => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
      expect(compilePeers(['private'])(socket)).toEqual({ address: '192.168.1.1', isTrusted: true })
    },
  )
})
