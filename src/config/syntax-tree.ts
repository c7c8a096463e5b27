/** A value of JSON, or a property with its key and its value as children, and where it is in the text. */
export interface SyntaxNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null'
  readonly value?: string | number | boolean | null
  readonly offset: number
  readonly parent?: SyntaxNode
  readonly children?: readonly SyntaxNode[]
}

export interface SyntaxFault {
  readonly kind: SyntaxFaultKind
  readonly offset: number
}

/** What is wrong with a token, or what should have been there. */
export type SyntaxFaultKind =
  | 'symbol'
  | 'control-character'
  | 'escape'
  | 'unicode'
  | `end-of-${'comment' | 'string' | 'number'}`
  | `no-${'key' | 'value' | 'colon' | 'comma' | 'close-brace' | 'close-bracket' | 'end'}`

/** The tree of a text, complete if there are no faults. */
export interface SyntaxTree {
  readonly root: SyntaxNode | undefined
  readonly faults: readonly SyntaxFault[]
  /** If so, the rest of the text was not read. */
  readonly isTooDeep: boolean
}

/** Parses JSON with comments and trailing commas. After a fault it goes on at the next comma or closing bracket. */
export function parseTree(text: string, deepestNesting: number): SyntaxTree {
  const parser = new Parser(new Tokens(text), deepestNesting)
  const root = parser.parse()
  return { root, faults: parser.tokens.faults, isTooDeep: parser.isTooDeep }
}

/** While it is built. */
interface OpenNode extends SyntaxNode {
  parent?: OpenNode
  readonly children?: OpenNode[]
}

class Parser {
  readonly tokens: Tokens
  isTooDeep = false
  readonly #deepestNesting: number
  #depth = 0

  constructor(tokens: Tokens, deepestNesting: number) {
    this.tokens = tokens
    this.#deepestNesting = deepestNesting
  }

  parse(): OpenNode | undefined {
    const { tokens } = this
    tokens.next()
    const root = this.#parseValue()
    if (root === undefined) tokens.report('no-value')
    else if (tokens.kind !== 'end') tokens.report('no-end')
    return root
  }

  #parseValue(): OpenNode | undefined {
    const { kind, offset, value } = this.tokens
    if (kind === '{') return this.#parseList('object', '}', () => this.#parseProperty())
    if (kind === '[') return this.#parseList('array', ']', () => this.#parseElement())
    if (!isScalar(kind)) return undefined
    this.tokens.next()
    return { type: kind, value, offset }
  }

  #parseList(
    type: 'object' | 'array',
    close: '}' | ']',
    parseChild: () => OpenNode | undefined,
  ): OpenNode | undefined {
    const { tokens } = this
    const children: OpenNode[] = []
    const node: OpenNode = { type, offset: tokens.offset, children }
    this.#depth += 1
    if (this.#depth > this.#deepestNesting) {
      this.isTooDeep = true
      tokens.skipAll()
    } else tokens.next()
    for (let isFirst = true; tokens.kind !== close && tokens.kind !== 'end'; isFirst = false) {
      if (tokens.kind === ',') {
        if (isFirst) tokens.report('no-value')
        tokens.next()
        // A trailing comma.
        if (is(tokens, close)) break
      } else if (!isFirst) tokens.report('no-comma')
      const child = parseChild()
      if (child === undefined) continue
      child.parent = node
      children.push(child)
    }
    this.#depth -= 1
    if (tokens.kind === close) tokens.next()
    else tokens.report(type === 'object' ? 'no-close-brace' : 'no-close-bracket')
    return node
  }

  #parseElement(): OpenNode | undefined {
    const node = this.#parseValue()
    if (node === undefined) this.#skip('no-value', ']')
    return node
  }

  #parseProperty(): OpenNode | undefined {
    const { tokens } = this
    const { kind, offset, value } = tokens
    if (kind !== 'string') {
      this.#skip('no-key', '}')
      this.#skip('no-value', '}')
      return undefined
    }
    const key: OpenNode = { type: kind, value, offset }
    tokens.next()
    if (!is(tokens, ':')) {
      this.#skip('no-colon', '}')
      return undefined
    }
    tokens.next()
    const child = this.#parseValue()
    if (child === undefined) {
      this.#skip('no-value', '}')
      return undefined
    }
    const property: OpenNode = { type: 'property', offset, children: [key, child] }
    key.parent = property
    child.parent = property
    return property
  }

  /** Reports a fault and goes on at the next comma, or at the bracket that closes the list. */
  #skip(fault: SyntaxFaultKind, close: '}' | ']'): void {
    const { tokens } = this
    tokens.report(fault)
    while (tokens.kind !== close && tokens.kind !== ',' && tokens.kind !== 'end') tokens.next()
  }
}

type Scalar = 'string' | 'number' | 'boolean' | 'null'
type Punctuation = '{' | '}' | '[' | ']' | ':' | ','

/** Reads one token after the other. White space, comments and what is not JSON are skipped; the latter is reported. */
class Tokens {
  readonly faults: SyntaxFault[] = []
  kind: Scalar | Punctuation | 'end' = 'end'
  /** Of a scalar. */
  value: string | number | boolean | null = null
  offset = 0
  readonly #text: string
  #next = 0

  constructor(text: string) {
    this.#text = text
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
    this.next()
  }

  /** Reads what comes next, and returns whether it is a token. */
  #read(): boolean {
    const first = this.#text[this.offset]
    if (first === undefined) return this.#take('end', 0)
    if (isPunctuation(first)) return this.#take(first, 1)
    if (first === '"') return this.#readString()
    const [blank] = this.#match(BLANK)
    if (blank !== '') return this.#skip(blank)
    const [comment, end] = this.#match(COMMENT)
    if (comment !== '') {
      if (comment.startsWith('/*') && end === undefined) this.report('end-of-comment')
      return this.#skip(comment)
    }
    const [number, unfinished] = this.#match(NUMBER)
    if (number !== '') {
      if (unfinished !== undefined) this.report('end-of-number')
      this.value = Number(number)
      return this.#take('number', number.length)
    }
    const [word] = this.#match(WORD)
    const literal = LITERALS.get(word)
    if (literal === undefined) {
      this.report('symbol')
      // A slash, or a minus without a number.
      return this.#skip(word === '' || first === '-' ? first : word)
    }
    this.value = literal
    return this.#take(literal === null ? 'null' : 'boolean', word.length)
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

  #match(pattern: RegExp): readonly [whole: string, ...parts: (string | undefined)[]] {
    pattern.lastIndex = this.offset
    const [whole = '', ...parts] = pattern.exec(this.#text) ?? []
    return [whole, ...parts]
  }

  #take(kind: Tokens['kind'], length: number): true {
    this.kind = kind
    this.#next = this.offset + length
    return true
  }

  #skip(text: string): false {
    this.#next = this.offset + text.length
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

/** Compares what a call may have changed. */
function is(tokens: Tokens, kind: Tokens['kind']): boolean {
  return tokens.kind === kind
}

function isScalar(kind: Tokens['kind']): kind is Scalar {
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'null'
}

function isPunctuation(character: string): character is Punctuation {
  return '{}[]:,'.includes(character)
}

const BLANK = /[ \t\r\n]+/y
/** With its end, if it has one. */
const COMMENT = /\/\/[^\r\n]*|\/\*(?:[\s\S]*?(\*\/)|[\s\S]*)/y
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
