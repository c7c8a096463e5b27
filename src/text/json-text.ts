import { escapeControls } from './escape.ts'

/**
 * A value as indented JSON, ending with a line feed. Control and format characters are escaped, for terminals.
 */
export function toJsonText(value: unknown): string {
  return `${toEscapedJson(value)}\n`
}

/** The same on one line, without the line feed. */
export function toInlineJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value))
}

/**
 * The same of an object in pieces of some tens of KiB, for documents that are too large to hold in memory at once.
 * Iterables among its values become arrays; their members are taken one at a time, and have a line each.
 */
export function* toJsonPieces(document: Readonly<Record<string, unknown>>): Iterable<string> {
  let piece = ''
  for (const part of toParts(document)) {
    piece += part
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}

function* toParts(document: Readonly<Record<string, unknown>>): Iterable<string> {
  let before = '{\n'
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue
    yield `${before}  ${toInlineJson(name)}: `
    if (typeof value === 'object' && value !== null && Symbol.iterator in value)
      yield* toArrayParts(value as Iterable<unknown>)
    else yield toEscapedJson(value).replaceAll('\n', '\n  ')
    before = ',\n'
  }
  yield '\n}\n'
}

function* toArrayParts(members: Iterable<unknown>): Iterable<string> {
  let before = '[\n'
  for (const member of members) {
    yield `${before}    ${toInlineJson(member)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n  ]'
}

function toEscapedJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value, undefined, 2))
}

function escapeHidden(text: string): string {
  return BEYOND_ASCII.test(text) ? text.replace(HIDDEN, escapeControls) : text
}

const PIECE_CHARACTERS = 32_768

// JSON.stringify escapes everything below the space itself. Nearly every text passes this test.
const BEYOND_ASCII = /[^\n\x20-\x7e]/

// All but the line feeds of the indentation.
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu
