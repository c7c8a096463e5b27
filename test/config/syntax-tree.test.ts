import fc from 'fast-check'
import * as oracle from 'jsonc-parser'
import { describe, expect, it, test } from 'vitest'
import { parseTree, type SyntaxFaultKind, type SyntaxNode } from '../../src/config/syntax-tree.ts'

const DEEPEST = 32
const RUNS = Number(process.env.SYNTAX_RUNS ?? 5_000)

/** What the parser of VS Code calls them. */
const kinds: Readonly<Record<string, SyntaxFaultKind>> = {
  InvalidSymbol: 'symbol',
  InvalidCharacter: 'control-character',
  InvalidEscapeCharacter: 'escape',
  InvalidUnicode: 'unicode',
  UnexpectedEndOfComment: 'end-of-comment',
  UnexpectedEndOfString: 'end-of-string',
  UnexpectedEndOfNumber: 'end-of-number',
  PropertyNameExpected: 'no-key',
  ValueExpected: 'no-value',
  ColonExpected: 'no-colon',
  CommaExpected: 'no-comma',
  CloseBraceExpected: 'no-close-brace',
  CloseBracketExpected: 'no-close-bracket',
  EndOfFileExpected: 'no-end',
}

const pieces = [
  ...['{', '}', '[', ']', ':', ',', ' ', '\t', '\n', '\r\n', '\r', '"a"', '"b":', '""', '"', '\\', '/', '.'],
  ...[
    '// c\n',
    '//',
    '/* c */',
    '/*',
    '*/',
    '/*\r\n*/',
    '0',
    '1',
    '-',
    '-2',
    '10',
    '.5',
    '1.',
    '1.5',
    '1.5.',
  ],
  ...['1e5', '1e', 'e+', 'E-2', '1.5e', '1e5.', '01', 'true', 'tru', 'false', 'null', 'x', "'", '\\q', '\\n'],
  ...['"\\u00e9"', '"\\u12"', '\\u12', '"\\"', '"\\\\"', '\u0001', '"\u0001"', '\u00a0', '\f', '\u{1f600}'],
]

const texts = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join('')),
  // Valid, or nearly.
  fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...pieces))
    .map(
      ([json, at, piece]) =>
        json.slice(0, at % (json.length + 1)) + piece + json.slice(at % (json.length + 1)),
    ),
  fc.json().map((json) => JSON.stringify(JSON.parse(json), undefined, 2)),
)

test('for any text, the same faults at the same places as in VS Code, and the same tree if there are none', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const errors: oracle.ParseError[] = []
      const theirs = oracle.parseTree(text, errors, { allowTrailingComma: true })
      const { root, faults, duplicates, isTooDeep } = parseTree(text, DEEPEST)
      expect(isTooDeep).toBe(false)
      expect(faults).toEqual(
        errors.map(({ error, offset }) => ({ kind: kinds[oracle.printParseErrorCode(error)], offset })),
      )
      if (theirs === undefined || errors.length > 0) return
      const expected: SyntaxNode[] = []
      expect(root).toEqual(toOurs(theirs, expected))
      expect(duplicates.map(({ node }) => node)).toEqual(expected)
    }),
    { numRuns: RUNS },
  )
})

it('tells equal keys, with their places and that of the first', () => {
  const { root, duplicates } = parseTree('{"b": 0, "a": [{"b": 1, "b": 2, "b": 3}]}', DEEPEST)
  expect(root?.value).toEqual({ b: 0, a: [{ b: 3 }] })
  const path = ['a', 0, 'b']
  expect(duplicates).toEqual([
    { path, node: { value: 2, offset: 29, keyOffset: 24, firstKeyOffset: 16 } },
    { path, node: { value: 3, offset: 37, keyOffset: 32, firstKeyOffset: 16 } },
  ])
})

describe('nesting', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('%s', (open, close) => {
    const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`
    expect(parseTree(nested(DEEPEST), DEEPEST)).toMatchObject({ faults: [], isTooDeep: false })
    expect(parseTree(nested(DEEPEST + 1), DEEPEST).isTooDeep).toBe(true)
    expect(parseTree(nested(1_000_000), DEEPEST).isTooDeep).toBe(true)
  })

  it('is bounded where each level is faulty too', () => {
    expect(parseTree('[},'.repeat(1_000_000), DEEPEST).isTooDeep).toBe(true)
  })
})

/** Our node for one of theirs, in which equal keys are kept. */
function toOurs(node: oracle.Node, duplicates: SyntaxNode[]): SyntaxNode {
  const { type, offset, children } = node
  const value = oracle.getNodeValue(node)
  if (children === undefined) return { value, offset }
  const members = new Map<string | number, SyntaxNode>()
  for (const [index, child] of children.entries()) {
    const [key, of] = type === 'object' ? (child.children ?? []) : []
    if (key === undefined || of === undefined) members.set(index, toOurs(child, duplicates))
    else {
      const first = members.get(key.value)
      const firstKeyOffset = first?.firstKeyOffset ?? key.offset
      const member = { ...toOurs(of, duplicates), keyOffset: key.offset, firstKeyOffset }
      if (first !== undefined) duplicates.push(member)
      members.set(key.value, member)
    }
  }
  return { value, offset, members }
}
