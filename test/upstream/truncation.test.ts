import { describe, it } from 'vitest'
import { expectFault, type Fault, writeThen } from './fault.ts'
import { get } from './scene.ts'

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'

/** What the service wrote before it let go. */
const BEFORE_THE_HEAD: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['one octet', 'H'],
  ['part of the status line', 'HTTP/1.1 20'],
  ['the status line', 'HTTP/1.1 200 OK\r\n'],
  ['half a field line', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['all but the last octet of the head', LENGTH.slice(0, -1)],
  ['an informational head', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['half an informational head', 'HTTP/1.1 100 Con'],
]

const AFTER_THE_HEAD: readonly (readonly [string, string])[] = [
  ['Content-Length: the head', LENGTH],
  ['Content-Length: all but one octet', `${LENGTH}012345678`],
  ['Content-Length and close', `${CLOSE.slice(0, -2)}Content-Length: 10\r\n\r\n01234`],
  ['chunked and close', `${CLOSE.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`],
  ['chunked: the head', CHUNKED],
  ['chunked: half a size line', `${CHUNKED}5`],
  ['chunked: half a chunk', `${CHUNKED}5\r\nab`],
  ['chunked: a chunk without its end', `${CHUNKED}5\r\nabcde`],
  ['chunked: a whole chunk', `${CHUNKED}5\r\nabcde\r\n`],
  ['chunked: the last chunk without the empty line', `${CHUNKED}5\r\nabcde\r\n0\r\n`],
]

const ENDINGS = ['fin', 'rst'] as const

describe('an answer that breaks off before its head is complete is a 502', () => {
  const rows = ENDINGS.flatMap((ending) =>
    BEFORE_THE_HEAD.map(([what, octets]): Fault => {
      const code = octets === '' ? 'upstream-reset' : 'upstream-truncated'
      return {
        name: `${what}, then ${ending}`,
        script: writeThen(octets, ending),
        status: 502,
        code,
        seen: 1,
      }
    }),
  )
  it.each(rows)('$name', expectFault)
})

describe('an answer that breaks off after its head breaks the client’s connection', () => {
  const rows = (['1.1', '1.0'] as const).flatMap((version) =>
    ENDINGS.flatMap((ending) => [
      ...AFTER_THE_HEAD.map(([what, octets]) => toRow(version, ending, what, octets)),
      ...(ending === 'rst'
        ? [
            toRow(version, ending, 'close-delimited: the head', CLOSE),
            toRow(version, ending, 'close-delimited: some octets', `${CLOSE}abc`),
          ]
        : []),
    ]),
  )
  it.each(rows)('$name', expectFault)

  function toRow(version: '1.0' | '1.1', ending: 'fin' | 'rst', what: string, octets: string): Fault {
    return {
      name: `HTTP/${version}, ${what}, then ${ending}`,
      request: get({ version }),
      script: writeThen(octets, ending),
      status: 200,
      end: 'broken',
      outcome: 'upstream-truncated',
      seen: 1,
    }
  }
})
