import { escapeControls } from './plain-text.ts'

/**
 * A value as indented JSON. Control and format characters stand as JSON escapes also where JSON would let them
 * through, since people look at it in terminals too.
 */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
  return `${text.replace(hidden, escapeControls)}\n`
}

// Line feeds can only be those of the indentation.
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu
