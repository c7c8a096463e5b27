import { escapeControls } from './plain-text.ts'

/**
 * A value as indented JSON. Control and format characters stand as JSON escapes also where JSON would let them
 * through, since people look at it in terminals too.
 */
export function toJsonText(value: unknown): string {
  return `${toEscapedJson(value)}\n`
}

/**
 * An object as the same text, piece by piece, for documents that are too large to stand in memory as one. The members
 * of its iterables are asked for one by one; a piece has some tens of KiB.
 */
export function* toJsonPieces(document: Readonly<Record<string, unknown>>): Iterable<string> {
  let piece = ''
  for (const part of toParts(document)) {
    piece += part
    if (piece.length < pieceCharacters) continue
    yield piece
    piece = ''
  }
  yield piece
}

function* toParts(document: Readonly<Record<string, unknown>>): Iterable<string> {
  let before = '{\n'
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue
    yield `${before}  ${JSON.stringify(name)}: `
    if (isIterable(value)) yield* toArrayParts(value)
    else yield toIndented(value, '  ')
    before = ',\n'
  }
  yield '\n}\n'
}

function* toArrayParts(members: Iterable<unknown>): Iterable<string> {
  let before = '[\n'
  for (const member of members) {
    yield `${before}    ${toIndented(member, '    ')}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n  ]'
}

// In JSON text a line feed can only be one of the indentation.
function toIndented(value: unknown, indentation: string): string {
  return toEscapedJson(value).replaceAll('\n', `\n${indentation}`)
}

function toEscapedJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
  return beyondAscii.test(text) ? text.replace(hidden, escapeControls) : text
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const pieceCharacters = 32_768

// JSON escapes what is below the space by itself; nearly every text is through with this.
const beyondAscii = /[^\n\x20-\x7e]/

// Line feeds can only be those of the indentation.
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu
