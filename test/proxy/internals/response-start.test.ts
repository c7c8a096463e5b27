import { expect, it, vi } from 'vitest'
import { ResponseFault, ResponseStart } from '../../../src/proxy/internals/response-start.ts'

const HEAD = 'HTTP/1.1 200 Fine\r\nA: b\r\nC: d\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'

/** What it lets through of each piece, as long as there is no fault. */
function take(pieces: readonly string[]) {
  const start = new ResponseStart()
  const taken: string[] = []
  for (const piece of pieces) {
    const octets = start.take(Buffer.from(piece, 'latin1'))
    if (octets instanceof ResponseFault) return octets.code
    taken.push(octets.toString('latin1'))
  }
  return { taken, isOver: start.isOver, reason: start.reason }
}

it.each([
  ['at once', [`${HEAD}body`], [`${HEAD}body`]],
  ['an octet at a time', [...HEAD], [...HEAD].map((_, i) => (HEAD[i] === '\n' ? lineBefore(i) : ''))],
  ['behind informational heads', [HINTS + HINTS + HEAD], [HEAD]],
  ['cut in a line of an informational head', [HINTS.slice(0, 30), HINTS.slice(30) + HEAD], ['', HEAD]],
  ['cut between CR and LF', [HEAD.slice(0, 18), HEAD.slice(18)], ['', HEAD]],
  ['without fields', ['HTTP/1.1 200 Fine\r\n', '\r\n'], ['HTTP/1.1 200 Fine\r\n', '\r\n']],
])('lets whole lines of the final head through: %s', (_name, pieces, taken) => {
  expect(take(pieces)).toEqual({ taken, isOver: true, reason: 'Fine' })
})

function lineBefore(end: number): string {
  return HEAD.slice(HEAD.lastIndexOf('\n', end - 1) + 1, end + 1)
}

it.each([
  ['what is no status line', ['HTTP/2'], 'BAD_STATUS_LINE'],
  ['what is none after an informational head', [`${HINTS}SSH`], 'BAD_STATUS_LINE'],
  ['an informational line without CR', ['HTTP/1.1 103 Hints\r\nA: b\n\r\n'], 'BAD_1XX'],
  ['an endless line', ['HTTP/1.1 200 ', ...Array(65).fill('x'.repeat(1_024))], 'HEAD_LIMIT'],
  [
    'endless informational fields',
    ['HTTP/1.1 103 Hints\r\n', ...Array(20_000).fill('A: b\r\n')],
    'HEAD_LIMIT',
  ],
  ['many informational heads', Array(11).fill(HINTS), 'TOO_MANY_1XX'],
])('refuses %s', (_name, pieces, code) => {
  expect(take(pieces)).toBe(code)
})

it('joins the pieces of a line in a few steps, however many they are', () => {
  const allocate = vi.spyOn(Buffer, 'allocUnsafe')
  const line = `X: ${'x'.repeat(60_000)}\r\n`
  const result = take(['HTTP/1.1 200 OK\r\n', ...line])
  const steps = allocate.mock.calls.length
  allocate.mockRestore()
  expect(typeof result === 'string' ? result : result.taken.at(-1)).toBe(line)
  expect(steps).toBeLessThan(32)
})
