import { describe, expect, it } from 'vitest'
import { connectionOptions, HOP_BY_HOP } from '../../src/http/hop-by-hop.ts'

describe('HOP_BY_HOP', () => {
  it('holds each name once, right and in lower case', () => {
    expect([...HOP_BY_HOP].sort()).toEqual([
      'connection',
      'keep-alive',
      'proxy-authenticate',
      'proxy-authorization',
      'proxy-connection',
      'te',
      'trailer',
      'transfer-encoding',
      'upgrade',
    ])
  })
})

describe('connectionOptions', () => {
  it.each([
    [[], undefined],
    [['Connection', 'close'], undefined],
    [['Connection', 'keep-alive'], undefined],
    [['X-Connection', 'x-hop'], undefined],
    [['Connection', 'Keep-Alive'], ['keep-alive']],
    [['Connection', ''], []],
    [
      ['Connection', 'X-Hop, Close,,te'],
      ['x-hop', 'close', 'te'],
    ],
    [
      ['connection', 'a', 'X', '1', 'CONNECTION', 'b , a'],
      ['a', 'b'],
    ],
    [
      ['Connection', '"a, b", c'],
      ['"a, b"', 'c'],
    ],
  ])('%j gives %j', (fields, options) => {
    const found = connectionOptions(fields)
    expect(found === undefined ? undefined : [...found]).toEqual(options)
  })
})
