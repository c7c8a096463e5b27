import fc from 'fast-check'
import * as oracle from 'jsonc-parser'
import { describe, expect, it, test } from 'vitest'
import { type Place, readJson } from '../../src/config/read-json.ts'

const DEEPEST = 32
const RUNS = Number(process.env.SYNTAX_RUNS ?? 5_000)

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
  ...['"__proto__": 1,', '{"a": {"b": 1}, "a": {"b": 2},}', '[1, [2,],]'],
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

test('any text is read as in VS Code, with the same places, or both find a fault', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const errors: oracle.ParseError[] = []
      const theirs = oracle.parseTree(text, errors, { allowTrailingComma: true })
      const ours = readJson(text, DEEPEST)
      if (theirs === undefined || errors.length > 0) {
        expect(ours.kind).toBe('fault')
        return
      }
      const duplicates: Place[] = []
      const place = toPlace(theirs, {}, duplicates)
      expect(ours).toMatchObject({ kind: 'value', value: toValue(theirs) })
      expect(ours).toHaveProperty('place', place)
      const found = 'duplicates' in ours ? ours.duplicates.map((each) => each.place) : []
      expect(found.sort(byOffset)).toEqual(duplicates.sort(byOffset))
    }),
    { numRuns: RUNS },
  )
})

it('tells equal keys, with their places and that of the first', () => {
  const path = ['a', 0, 'b']
  expect(readJson('{"b": 0, "a": [{"b": 1, "b": 2, "b": 3}]}', DEEPEST)).toMatchObject({
    value: { b: 0, a: [{ b: 3 }] },
    duplicates: [
      { path, place: { offset: 29, keyOffset: 24, firstKeyOffset: 16 } },
      { path, place: { offset: 37, keyOffset: 32, firstKeyOffset: 16 } },
    ],
  })
})

describe('nesting', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('%s', (open, close) => {
    const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`
    expect(readJson(nested(DEEPEST), DEEPEST).kind).toBe('value')
    expect(readJson(nested(DEEPEST + 1), DEEPEST).kind).toBe('too-deep')
    expect(readJson(nested(1_000_000), DEEPEST).kind).toBe('too-deep')
  })
})

// The largest config has 4 Mi characters. What takes time that is not linear, or stack, does not end or throws.
it.each<[string, (length: number) => string]>([
  ['a text', (length) => `"${'a'.repeat(length)}"`],
  ['escapes', (length) => `"${'\\n'.repeat(length / 2)}"`],
  ['an unclosed text of escapes', (length) => `"${'\\n'.repeat(length / 2)}`],
  ['a number', (length) => '1'.repeat(length)],
  ['a number with a letter', (length) => `${'1'.repeat(length)}x`],
  ['a comment', (length) => `/*${'*'.repeat(length)}*/1`],
  ['an unclosed comment', (length) => `/*${'*'.repeat(length)}`],
  ['slashes', (length) => `//${'/'.repeat(length)}\n1`],
  ['lists', (length) => `[${'[],'.repeat(length / 12)}]`],
  ['a long key above many values', (length) => `{"${'k'.repeat(length / 2)}":[${'1,'.repeat(length / 16)}]}`],
  ['equal keys', (length) => `{${'"a":1,'.repeat(length / 24)}}`],
])('%s in a config of the largest size', (_, toText) => {
  expect(readJson(toText(4 * 1024 * 1024), DEEPEST).kind).toMatch(/^(?:value|fault)$/)
})

function toValue({ type, value, children = [] }: oracle.Node): unknown {
  if (type === 'array') return children.map(toValue)
  if (type !== 'object') return value
  const members = children.flatMap(({ children: [key, of] = [] }) =>
    key === undefined || of === undefined ? [] : [[key.value, toValue(of)] as const],
  )
  return Object.fromEntries(members)
}

/** Our place of one of their nodes, in which equal keys are kept. */
function toPlace(
  { type, offset, children = [] }: oracle.Node,
  key: Partial<Place>,
  duplicates: Place[],
): Place {
  const members = new Map<string | number, Place>()
  for (const [index, child] of children.entries()) {
    const [name, of] = type === 'object' ? (child.children ?? []) : []
    if (name === undefined || of === undefined) {
      members.set(index, toPlace(child, {}, duplicates))
      continue
    }
    const first = members.get(name.value)
    const firstKeyOffset = first?.firstKeyOffset ?? name.offset
    const member = toPlace(of, { keyOffset: name.offset, firstKeyOffset }, duplicates)
    if (first !== undefined) duplicates.push(member)
    members.set(name.value, member)
  }
  return { offset, ...key, ...(members.size > 0 && { members }) }
}

function byOffset(a: Place, b: Place): number {
  return a.offset - b.offset
}
