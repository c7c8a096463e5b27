import { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

type WriteHead = (this: ServerResponse, status: number, reason: string, fields: string[]) => ServerResponse
type Head = ServerResponse & { _header: string }

const REFUSED = /^Node v[\d.]+ does not write responses the way/
const { prototype } = ServerResponse
const writeHead = prototype.writeHead as WriteHead

/** Makes `writeHead` do something else, as another release of Node may. */
function change(changed: WriteHead): void {
  vi.spyOn(prototype, 'writeHead').mockImplementation(changed as typeof prototype.writeHead)
}

describe('the check of responses at the start', () => {
  let check: typeof import('../../../src/proxy/internals/check-responses.ts')

  // What the check finds is kept for the process, so each test has modules of its own.
  beforeEach(async () => {
    vi.resetModules()
    check = await import('../../../src/proxy/internals/check-responses.ts')
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('passes with this Node, and sends a body with its head', () => {
    const apart = vi.spyOn(prototype, 'end')
    check.checkResponses()
    expect(apart.mock.calls).toEqual([[], []])
  })

  const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

  it.each<readonly [what: string, changed: (texts: string[]) => string[]]>([
    ['keeps the last of repeated fields', (texts) => texts.toSpliced(texts.indexOf('set-cookie'), 2)],
    [
      'joins repeated fields',
      (texts) =>
        texts
          .filter((text) => text !== 'Set-Cookie' && text !== 'b=2')
          .map((text) => (text === 'a=1' ? 'a=1, b=2' : text)),
    ],
    ['changes the case of names', (texts) => texts.map((text) => (text === 'X-Octets' ? 'x-octets' : text))],
    ['keeps the fields that were set before', (texts) => texts.toSpliced(1, 0, 'Set-Cookie', 'site=1')],
    ['writes octets above 0x7F as UTF-8', (texts) => texts.map(utf8)],
  ])('throws where Node %s', (_what, changed) => {
    change(function (status, reason, fields) {
      const [otherReason = '', ...otherFields] = changed([reason, ...fields])
      return writeHead.call(this, status, otherReason, otherFields)
    })
    expect(() => check.checkResponses()).toThrow(REFUSED)
  })

  it('throws where Node keeps the fields that a framework set in a place of another name', async () => {
    vi.resetModules()
    const symbols = Object.getOwnPropertySymbols
    vi.spyOn(Object, 'getOwnPropertySymbols').mockImplementation((object) =>
      symbols(object).filter(({ description }) => description !== 'kOutHeaders'),
    )
    const blind = await import('../../../src/proxy/internals/check-responses.ts')
    expect(() => blind.checkResponses()).toThrow(REFUSED)
  })

  it.each<readonly [what: string, hide: (outgoing: Head) => void]>([
    [
      'ignores what is appended to a head',
      (outgoing) => {
        const { _header: head } = outgoing
        Object.defineProperty(outgoing, '_header', { get: () => head, set: () => {} })
      },
    ],
    [
      'sends what is appended to a head as UTF-8',
      (outgoing) => {
        let head = outgoing._header
        Object.defineProperty(outgoing, '_header', {
          get: () => head,
          set: (longer: string) => {
            head += utf8(longer.slice(head.length))
          },
        })
      },
    ],
  ])('sends bodies apart where Node %s', (_what, hide) => {
    change(function (status, reason, fields) {
      const written = writeHead.call(this, status, reason, fields)
      hide(this as Head)
      return written
    })
    const end = vi.spyOn(prototype, 'end')
    check.checkResponses()
    expect(end.mock.calls.at(-1)).toEqual([Buffer.from('caf\xe9', 'latin1')])
  })
})
