import type { Path } from './problem.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** Without a prototype, so that `__proto__` and `constructor` are ordinary keys. */
interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface SyntaxNode {
  readonly value: JsonValue
  readonly offset: number
  readonly keyOffset?: number
  /** Where its object has this key first. */
  readonly firstKeyOffset?: number
  /** By key or index; of equal keys the last one counts. */
  readonly members?: ReadonlyMap<string | number, SyntaxNode>
}

/**
 * Parses JSON with comments and trailing commas. After a fault it goes on at the next comma or closing bracket.
 *
 * @returns the tree, complete if there are no faults, and its members whose key occurs earlier in the same object. If it is
 *   too deep, the rest of the text was not read
 */
export function parseTree(text: string, deepestNesting: number) {
  const tokens = new Tokens(text)
  const duplicates: { readonly path: Path; readonly node: SyntaxNode }[] = []
  let isTooDeep = false

  function parseValue(path: Path): SyntaxNode | undefined {
    const { kind, offset, value } = tokens
    if (kind === '{') return parseList(path, Object.create(null), '}')
    if (kind === '[') return parseList(path, [], ']')
    if (kind !== 'string' && kind !== 'other') return undefined
    tokens.next()
    return { value, offset }
  }

  function parseList(path: Path, value: OpenList['value'], close: OpenList['close']): SyntaxNode {
    const { offset } = tokens
    const members = new Map<string | number, SyntaxNode>()
    const list = { value, members, close }
    if (path.length >= deepestNesting) {
      isTooDeep = true
      tokens.skipAll()
    }
    tokens.next()
    for (let isFirst = true; !tokens.isAt(close, 'end'); isFirst = false) {
      if (tokens.isAt(',')) {
        if (isFirst) tokens.report('no-value')
        tokens.next()
        // A trailing comma.
        if (tokens.isAt(close)) break
      } else if (!isFirst) tokens.report('no-comma')
      if (close === '}') parseProperty(list, path)
      else parseMember(list, [...path, members.size])
    }
    if (tokens.isAt(close)) tokens.next()
    else tokens.report(close === '}' ? 'no-close-brace' : 'no-close-bracket')
    return { value, offset, members }
  }

  function parseProperty(object: OpenList, path: Path): void {
    const { offset, value } = tokens
    if (!tokens.isAt('string')) {
      skip('no-key', object)
      return skip('no-value', object)
    }
    tokens.next()
    if (!tokens.isAt(':')) return skip('no-colon', object)
    tokens.next()
    parseMember(object, [...path, String(value)], offset)
  }

  function parseMember(list: OpenList, path: Path, keyOffset?: number): void {
    const key = path.at(-1) ?? ''
    const parsed = parseValue(path)
    if (parsed === undefined) return skip('no-value', list)
    const first = list.members.get(key)
    const node =
      keyOffset === undefined
        ? parsed
        : { ...parsed, keyOffset, firstKeyOffset: first?.firstKeyOffset ?? keyOffset }
    if (first !== undefined) duplicates.push({ path, node })
    list.members.set(key, node)
    Reflect.set(list.value, key, node.value)
  }

  /** Reports a fault and goes on at the next comma, or at the bracket that closes the list. */
  function skip(fault: SyntaxFaultKind, { close }: OpenList): void {
    tokens.report(fault)
    while (!tokens.isAt(close, ',', 'end')) tokens.next()
  }

  tokens.next()
  const root = parseValue([])
  if (root === undefined) tokens.report('no-value')
  else if (!tokens.isAt('end')) tokens.report('no-end')
  return { root, faults: tokens.faults, duplicates, isTooDeep }
}

interface OpenList {
  readonly value: JsonValue & object
  readonly members: Map<string | number, SyntaxNode>
  readonly close: '}' | ']'
}

/** Reads one token after the other. White space, comments and what is not JSON are skipped; the latter is reported. */
class Tokens {
  readonly faults: { readonly kind: SyntaxFaultKind; readonly offset: number }[] = []
  /** `other`: a number, or a word of JSON. */
  kind = 'end'
  /** Of a string or another scalar. */
  value: string | number | boolean | null = null
  offset = 0
  readonly #text: string
  #next = 0

  constructor(text: string) {
    this.#text = text
  }

  isAt(...kinds: readonly string[]): boolean {
    return kinds.includes(this.kind)
  }

  report(kind: SyntaxFaultKind): void {
    this.faults.push({ kind, offset: this.offset })
  }

  next(): void {
    do this.offset = this.#next
    while (!this.#read())
  }

  /** The next token is the end of the text. */
  skipAll(): void {
    this.#next = this.#text.length
  }

  #read(): boolean {
    const first = this.#text[this.offset]
    if (first === undefined) return this.#take('end', 0)
    if ('{}[]:,'.includes(first)) return this.#take(first, 1)
    if (first === '"') return this.#readString()
    const [gap, unclosed] = this.#match(GAP)
    if (gap !== '') {
      if (unclosed !== undefined) this.report('end-of-comment')
      return this.#skip(gap.length)
    }
    const [number, unfinished] = this.#match(NUMBER)
    if (number !== '') {
      if (unfinished !== undefined) this.report('end-of-number')
      this.value = Number(number)
      return this.#take('other', number.length)
    }
    const [word] = this.#match(WORD)
    const literal = LITERALS.get(word)
    if (literal === undefined) {
      this.report('symbol')
      // A slash, or a minus without a number.
      return this.#skip(first === '-' ? 1 : word.length || 1)
    }
    this.value = literal
    return this.#take('other', word.length)
  }

  /** A backslash hides the character after it, also the end of a line. */
  #readString(): boolean {
    let end = this.offset
    let stop: string | undefined
    do {
      STOP.lastIndex = end + (stop === '\\' ? 2 : 1)
      const found = STOP.exec(this.#text)
      stop = found?.[0]
      end = found?.index ?? this.#text.length
    } while (stop === '\\')
    if (stop === '"') end += 1
    const token = this.#text.slice(this.offset, end)
    const fault = stop === '"' ? findStringFault(token) : 'end-of-string'
    if (fault !== undefined) this.report(fault)
    this.value = fault === undefined ? JSON.parse(token) : ''
    return this.#take('string', token.length)
  }

  #match(pattern: RegExp): readonly [whole: string, part: string | undefined] {
    pattern.lastIndex = this.offset
    const [whole = '', part] = pattern.exec(this.#text) ?? []
    return [whole, part]
  }

  #take(kind: string, length: number): true {
    this.kind = kind
    this.#next = this.offset + length
    return true
  }

  #skip(length: number): false {
    this.#next = this.offset + length
    return false
  }
}

/** The last fault of a string that ends on its line. */
function findStringFault(token: string): SyntaxFaultKind | undefined {
  let fault: SyntaxFaultKind | undefined
  for (const [part, isSound] of token.matchAll(STRING_PART)) {
    if (isSound !== undefined) continue
    fault = part === '\\u' ? 'unicode' : part.startsWith('\\') ? 'escape' : 'control-character'
  }
  return fault
}

/** White space, or a comment; one that isn't closed is a part of the match. */
const GAP = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|(\/\*[\s\S]*)/y
/** With the beginning of a fraction or an exponent that has no digits. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+|((?<!\.[0-9]+)\.|[eE][+-]?))?/y
const WORD = /[^ \t\r\n{}[\]":,/]+/y
/** The end of a string, or of its line, or a backslash. */
const STOP = /["\\\r\n]/g
/** An escape, or what a string must not contain. */
const STRING_PART = /(\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))|\\u|\\[\s\S]|[\u0000-\u001f]/g

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

export type SyntaxFaultKind = keyof typeof SYNTAX_FAULTS

/** What is wrong with a token, or what should have been there. */
export const SYNTAX_FAULTS = {
  symbol: {
    message: 'not JSON',
    expected: 'double quotes around keys and strings; else a number, true, false or null',
  },
  'no-key': { message: 'not a key', expected: 'a key in double quotes' },
  'no-value': { message: 'missing value', expected: 'a JSON value' },
  'no-colon': { message: 'missing colon', expected: 'a colon after the key' },
  'no-comma': { message: 'missing comma', expected: 'a comma before this' },
  'no-close-brace': { message: 'unclosed object', expected: 'a closing brace' },
  'no-close-bracket': { message: 'unclosed array', expected: 'a closing bracket' },
  'no-end': { message: 'text after the end', expected: 'one JSON object and nothing after it' },
  'end-of-comment': { message: 'unclosed comment', expected: '*/' },
  'end-of-string': { message: 'unclosed string', expected: 'a closing double quote on the same line' },
  'end-of-number': { message: 'unfinished number', expected: 'a digit' },
  unicode: { message: 'malformed escape', expected: 'four hexadecimal digits after \\u' },
  escape: { message: 'unknown escape', expected: 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u' },
  'control-character': { message: 'control character in a string', expected: 'an escape such as \\n' },
} as const
