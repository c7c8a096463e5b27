import { describe, expect, it } from 'vitest'
import { parseResponseStart, type ResponseStart } from '../../src/http/response-start.ts'

const INCOMPLETE: ResponseStart = { kind: 'incomplete' }
const MALFORMED: ResponseStart = { kind: 'malformed' }

describe('parseResponseStart', () => {
  it.each<[string, ResponseStart]>([
    ['', INCOMPLETE],
    ['H', INCOMPLETE],
    ['HTTP/1.', INCOMPLETE],
    ['HTTP/1.1 200 OK', INCOMPLETE],
    ['HTTP/1.1 200 OK\r', INCOMPLETE],
    ['HTTP/1.1 200 OK\r\n', { kind: 'final', reason: 'OK' }],
    ['HTTP/1.0 404 \r\nrest', { kind: 'final', reason: '' }],
    ['HTTP/1.1 404\r\nrest', { kind: 'final', reason: '' }],
    ['HTTP/1.1 999 caf\xe9\r\n', { kind: 'final', reason: 'caf\xe9' }],
    ['HTTP/1.1 100 Continue\r\n', INCOMPLETE],
    ['HTTP/1.1 100 Continue\r\n\r', INCOMPLETE],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP', { kind: 'informational', status: 100, length: 25 }],
    ['HTTP/1.1 103 Hints\r\nA: b\r\n\r\n', { kind: 'informational', status: 103, length: 28 }],
    ['X', MALFORMED],
    ['HTTQ', MALFORMED],
    ['\r\n', MALFORMED],
    ['HTTP/2', MALFORMED],
    ['HTTP/1.2 200 OK\r\n', MALFORMED],
    ['HTTP/1.1 099 OK\r\n', MALFORMED],
    ['HTTP/1.1 20 OK\r\n', MALFORMED],
    ['HTTP/1.1 2000 OK\r\n', MALFORMED],
    ['HTTP/1.1 200 OK\n', MALFORMED],
    ['HTTP/1.1 200 O\x00K\r\n', MALFORMED],
    ['HTTP/1.1\t200 OK\r\n', MALFORMED],
  ])('%j', (octets, expected) => {
    expect(parseResponseStart(Buffer.from(octets, 'latin1'))).toEqual(expected)
  })
})
