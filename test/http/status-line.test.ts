import { describe, expect, it } from 'vitest'
import { mayBeginStatusLine, parseStatusLine, type StatusLine } from '../../src/http/status-line.ts'

const MALFORMED: StatusLine = { kind: 'malformed' }

describe('parseStatusLine', () => {
  it.each<[string, StatusLine]>([
    ['HTTP/1.1 200 OK\r', { kind: 'final', reason: 'OK' }],
    ['HTTP/1.0 404 \r', { kind: 'final', reason: '' }],
    ['HTTP/1.1 404\r', { kind: 'final', reason: '' }],
    ['HTTP/1.1 999 caf\xe9\r', { kind: 'final', reason: 'caf\xe9' }],
    ['HTTP/1.1 100 Continue\r', { kind: 'informational', status: 100 }],
    ['HTTP/1.1 199\r', { kind: 'informational', status: 199 }],
    ['\r', MALFORMED],
    ['HTTP/1.2 200 OK\r', MALFORMED],
    ['HTTP/1.1 099 OK\r', MALFORMED],
    ['HTTP/1.1 20 OK\r', MALFORMED],
    ['HTTP/1.1 2000 OK\r', MALFORMED],
    ['HTTP/1.1 200 OK', MALFORMED],
    ['HTTP/1.1 200 O\x00K\r', MALFORMED],
    ['HTTP/1.1\t200 OK\r', MALFORMED],
  ])('%j', (line, expected) => {
    expect(parseStatusLine(line)).toEqual(expected)
  })
})

it.each([
  ['', true],
  ['H', true],
  ['HTTP/1.', true],
  ['HTTP/1.1 200 OK\r', true],
  ['X', false],
  ['HTTQ', false],
  ['HTTP/2', false],
])('%j may begin a status line: %s', (octets, expected) => {
  expect(mayBeginStatusLine(Buffer.from(octets, 'latin1'))).toBe(expected)
})
