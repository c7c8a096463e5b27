/**
 * Text from outside, fit for a line of a terminal or a log: control, format and bidirectional characters and lone
 * surrogates become visible escapes (`\u001b`), so nothing in a URL or a cookie's name can colour a terminal, begin a
 * line or turn its direction. Long text is cut.
 */
export function toPlainText(text: string): string {
  return escapeControls(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

/** As `toPlainText`, uncut. Each escape is one UTF-16 unit, as in JSON, where it stays valid. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

const longest = 1000
