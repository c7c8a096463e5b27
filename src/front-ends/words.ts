/** A token of a server's config: a word, or a mark with a meaning in the syntax. */
export interface Word {
  readonly kind: 'bare' | 'quoted' | 'mark'
  /** Without the quotes of a quoted word. */
  readonly text: string
  /** Counts from 1. */
  readonly line: number
}

/** Why a text can't be read, and where. */
export interface SyntaxFault {
  readonly line: number
  /** A clause: "a quote is not closed". */
  readonly fault: string
}

export function isFault<T extends object>(read: T | SyntaxFault): read is SyntaxFault {
  return 'fault' in read
}

/**
 * Splits a config into tokens. A `#` at the start of a word begins a comment; a backslash at the end of a line continues it on
 * the next; `${name}` is part of a word, even where braces are marks.
 *
 * @param quotes characters that open and close a quoted word
 * @param marks characters that always end a word, besides the end of a line
 */
export function readWords(
  text: string,
  { quotes, marks }: { readonly quotes: string; readonly marks: string },
  firstLine = 1,
): readonly Word[] | SyntaxFault {
  const quoted = [...quotes].map((quote) => QUOTED[quote]).join('|')
  const bare = String.raw`(?:\$\{[^}\s]{0,253}\}|\\\S|[^\s${marks}])+`
  const token = `(?<mark>[\n${marks}])|[^\\S\n]+|#[^\n]*|\\\\\r?\n|(?<quoted>${quoted})|(?<open>[${quotes}])|(?<bare>${bare})`
  const words: Word[] = []
  let line = firstLine
  for (const { 0: whole, groups } of text.matchAll(new RegExp(token, 'g'))) {
    if (groups?.open !== undefined) return { line, fault: 'a quote is not closed' }
    if (groups?.mark !== undefined) words.push({ kind: 'mark', text: whole, line })
    if (groups?.quoted !== undefined) words.push({ kind: 'quoted', text: withoutQuotes(whole), line })
    if (groups?.bare !== undefined) words.push({ kind: 'bare', text: whole, line })
    line += whole.split('\n').length - 1
  }
  return words
}

function withoutQuotes(word: string): string {
  const inner = word.slice(1, -1)
  return word.startsWith('`') ? inner : inner.replace(/\\(["'\\])/g, '$1')
}

const QUOTED: Readonly<Record<string, string>> = {
  '"': String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"`,
  "'": String.raw`'[^'\\]*(?:\\[^][^'\\]*)*'`,
  '`': '`[^`]*`',
}
