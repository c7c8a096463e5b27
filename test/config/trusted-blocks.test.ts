import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { toTrustedBlocks } from '../../src/config/trusted-blocks.ts'
import { compilePeers } from '../../src/proxy/trusted-peers.ts'
import { renderConfig } from '../render/support/rendered.ts'

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
    expect(toTrustedBlocks(entries)).toEqual(blocks)
  })

  it.each(['127.0.0.1', '::1', '10.1.2.3', 'fd00::1'])(
    '"private" means the same to serve and to a front end: %s is trusted',
    (address) => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
      expect(compilePeers(['private'])(socket).isTrusted).toBe(true)
      const text = renderConfig('nginx', 'forward', {
        service: { url: 'https://service.example' },
        widgetKey: 'env:KEY',
        points: ['https://www.example.com/service_cookie_transfer/'],
        listen: { trustedProxies: ['private'] },
      })
      for (const block of PRIVATE) expect(text).toContain(`${block} trusted;`)
    },
  )
})
