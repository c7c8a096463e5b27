import { describe, expect, it } from 'vitest'
import { withoutCoding } from '../../src/edge/edge-exchange.ts'

describe('the fields of a response that fetch has read', () => {
  it.each(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'GZIP', 'identity, zstd', 'br, gzip'])(
    'omit %s, which fetch has removed',
    (coding) => {
      const fields = ['Content-Encoding', coding, 'content-length', '9', 'Set-Cookie', 'a=1']
      expect(withoutCoding(fields)).toEqual(['Set-Cookie', 'a=1'])
    },
  )

  it.each([[[]], [['content-encoding', 'identity']], [['content-encoding', 'x-brand-new']]])(
    'stay with %j',
    (codings: string[]) => {
      const fields = [...codings, 'content-length', '9']
      expect(withoutCoding(fields)).toEqual(fields)
    },
  )
})
