import { describe, expect, it } from 'vitest'
import { viaNames } from '../../src/http/via.ts'

describe('viaNames', () => {
  it.each([
    [[], false],
    [['Via', ''], false],
    [['Via', '1.1 me'], true],
    [['VIA', 'HTTP/1.1 ME'], true],
    [['via', '1.0 fred, 1.1\tme (a, b)'], true],
    [['Via', '1.1 a', 'Via', '1.1 me'], true],
    [['Via', '1.1 you'], false],
    [['Via', '1.1 me.example'], false],
    [['Via', '1.1 notme'], false],
    [['Via', 'me'], false],
    [['Via', '1.1 a (1.1 me)'], false],
    [['X-Via', '1.1 me'], false],
  ])('%j: %s', (fields, expected) => {
    expect(viaNames(fields, 'me')).toBe(expected)
  })
})
