import { expect, it } from 'vitest'
import { withoutCoding } from '../../src/edge/edge-exchange.ts'

it.each<[coding: string | undefined, left: 'all' | 'others' | 'none']>([
  [undefined, 'all'],
  ['', 'all'],
  ['identity', 'all'],
  ['gzip', 'others'],
  ['zstd', 'none'],
  ['GZIP', 'none'],
  ['x-gzip', 'none'],
  ['gzip, x-unknown', 'none'],
  ['gzip;q=1', 'none'],
  ['gzip, gzip', 'none'],
  ['x-brand-new', 'none'],
])('fields of a response that fetch has read, with the coding %s: %s are left', (coding, left) => {
  const described = coding === undefined ? [] : ['content-encoding', coding]
  const others = ['Set-Cookie', 'a=1']
  const fields = [...described, ...others, 'content-length', '9']
  expect(withoutCoding(fields)).toEqual({ all: fields, others, none: undefined }[left])
})
