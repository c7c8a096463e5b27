/** A token of a server's config: a word, or a mark with a meaning in the syntax. */
export interface Word {
  readonly kind: 'bare' | 'quoted' | 'mark'
  /** Without the quotes of a quoted word. */
  readonly text: string
  /** Counts from 1. */
  readonly line: number
}

/** What differs between the syntaxes. */
interface Lexicon {
  /** Characters that open and close a quoted word. */
  readonly quotes: string
  /** Characters that always end a word. The end of a line is a mark too. */
  readonly marks: string
}

/** Why a text can't be read, and where. */
export interface SyntaxFault {
  readonly line: number
  /** A clause: "a quote is not closed". */
  readonly fault: string
}

/** Splits a config into tokens. A `#` at the start of a word begins a comment; a backslash at the end of a line continues it on the next. */
export function readWords(text: string, lexicon: Lexicon, firstLine = 1): readonly Word[] | SyntaxFault {
  const words: Word[] = []
  let line = firstLine
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    if (char === '\n' || lexicon.marks.includes(char)) {
      words.push({ kind: 'mark', text: char, line })
      if (char === '\n') line += 1
      at += 1
    } else if (/\s/.test(char)) {
      at += 1
    } else if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else if (char === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) {
      at = text.indexOf('\n', at) + 1
      line += 1
    } else if (lexicon.quotes.includes(char)) {
      const end = findClosingQuote(text, at)
      if (end === undefined) return { line, fault: 'a quote is not closed' }
      const inner = text.slice(at + 1, end)
      words.push({ kind: 'quoted', text: char === '`' ? inner : withoutEscapes(inner), line })
      line += inner.split('\n').length - 1
      at = end + 1
    } else {
      const end = findWordEnd(text, at, lexicon)
      words.push({ kind: 'bare', text: text.slice(at, end), line })
      at = end
    }
  }
  return words
}

function findClosingQuote(text: string, start: number): number | undefined {
  const quote = text.charAt(start)
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === quote) return at
    if (char === '\\' && quote !== '`') at += 1
  }
  return undefined
}

/** `${name}` is part of a word, even where braces are marks. */
function findWordEnd(text: string, start: number, { marks }: Lexicon): number {
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '$' && text.charAt(at + 1) === '{') {
      const close = text.slice(at, at + LONGEST_NAME).search(/[}\s]/)
      if (close > 0 && text.charAt(at + close) === '}') at += close
    } else if (char === '\\' && !/\s/.test(text.charAt(at + 1))) {
      at += 1
    } else if (/\s/.test(char) || marks.includes(char)) {
      return at
    }
  }
  return text.length
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(["'\\])/g, '$1')
}

const LONGEST_NAME = 256
