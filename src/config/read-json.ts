import type { Path } from './problem.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where a value is, and its members. */
export interface Place {
  readonly offset: number
  /** Of the key before it; absent in arrays and at the top. */
  readonly keyOffset?: number | undefined
  /** Where its object has this key first. */
  readonly firstKeyOffset?: number | undefined
  /** By key or index; of equal keys the last one counts. */
  members?: Map<string | number, Place>
}

/** What is wrong at an offset. Nothing of the text is quoted: it may contain secrets. */
interface SyntaxFault {
  readonly offset: number
  readonly message: string
  readonly expected: string
}

/** Members whose key occurs earlier in the same object. */
type Duplicates = { readonly path: Path; readonly place: Place }[]

type Read =
  | { readonly kind: 'value'; value: JsonValue; place: Place; duplicates: Duplicates }
  | { readonly kind: 'fault'; readonly fault: SyntaxFault }
  | { readonly kind: 'too-deep' }

/**
 * Reads JSON with comments and trailing commas, up to the first fault. The grammar is checked here, since the errors of
 * `JSON.parse` quote the text.
 */
export function readJson(text: string, deepestNesting: number): Read {
  const whole: OpenList = { close: undefined, place: { offset: 0 }, step: 0 }
  const lists = [whole]
  const duplicates: Duplicates = []
  /** The text without comments and trailing commas. */
  const kept: string[] = []
  let state: keyof typeof FAULTS = 'value'
  for (const { 0: token, 1: gap, 2: scalar, 3: string, index: offset } of text.matchAll(TOKEN)) {
    if (gap !== undefined) continue
    const list = lists.at(-1) ?? whole
    if (token === list.close && (state === 'comma' || state === 'key' || token === ']')) {
      if (kept.at(-1) === ',') kept.pop()
      lists.pop()
      state = lists.length === 1 ? 'end' : 'comma'
    } else if (state === 'comma' && token === ',') {
      state = list.close === '}' ? 'key' : 'value'
    } else if (state === 'colon' && token === ':') {
      state = 'value'
    } else if (state === 'key' && string !== undefined) {
      list.step = String(JSON.parse(token))
      list.keyOffset = offset
      state = 'colon'
    } else if (state === 'value' && (scalar !== undefined || token === '{' || token === '[')) {
      const place = addMember(list, offset)
      if (place.firstKeyOffset !== place.keyOffset)
        duplicates.push({ path: lists.slice(1).map(({ step }) => step), place })
      state = lists.length === 1 ? 'end' : 'comma'
      if (scalar === undefined) {
        if (lists.length > deepestNesting) return { kind: 'too-deep' }
        lists.push({ close: token === '{' ? '}' : ']', place, step: 0 })
        state = token === '{' ? 'key' : 'value'
      }
    } else return { kind: 'fault', fault: { offset, ...(FAULTS_BY_TOKEN.get(token) ?? FAULTS[state]) } }
    kept.push(token)
  }
  const place = whole.place.members?.get(0)
  if (state !== 'end' || place === undefined) {
    const close = lists.at(-1)?.close
    const fault = close === undefined ? FAULTS.value : UNCLOSED[close]
    return { kind: 'fault', fault: { offset: text.length, ...fault } }
  }
  return { kind: 'value', value: JSON.parse(kept.join('')), place, duplicates }
}

function addMember(list: OpenList, offset: number): Place {
  const { close, place, keyOffset } = list
  place.members ??= new Map()
  if (close === ']') list.step = place.members.size
  const firstKeyOffset = place.members.get(list.step)?.firstKeyOffset ?? keyOffset
  const member = { offset, keyOffset, firstKeyOffset }
  place.members.set(list.step, member)
  return member
}

/** An object or array whose end has not come, with the member that is read. The first one is the whole text, with one value. */
interface OpenList {
  readonly close: '}' | ']' | undefined
  readonly place: Place
  step: string | number
  keyOffset?: number
}

/** White space or a comment; a scalar, which may be a string; else one character. */
const TOKEN =
  /([ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|(("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))|[\s\S]/g

/** By what should have come. */
const FAULTS = {
  value: {
    message: 'not a JSON value',
    expected: 'text in double quotes, a number, true, false, null, an object or an array',
  },
  key: { message: 'not a key', expected: 'a key in double quotes' },
  colon: { message: 'missing colon', expected: 'a colon after the key' },
  comma: { message: 'missing comma', expected: 'a comma before this' },
  end: { message: 'text after the end', expected: 'one JSON object and nothing after it' },
} as const

/** By the first character of what has no end, or is malformed. */
const FAULTS_BY_TOKEN: ReadonlyMap<string, Omit<SyntaxFault, 'offset'>> = new Map([
  [
    '"',
    {
      message: 'malformed text',
      expected:
        'a closing double quote on the same line, and of escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000',
    },
  ],
  ['/', { message: 'malformed comment', expected: '// up to the end of the line, or /* up to */' }],
])

const UNCLOSED = {
  '}': { message: 'unclosed object', expected: 'a closing brace' },
  ']': { message: 'unclosed array', expected: 'a closing bracket' },
} as const
