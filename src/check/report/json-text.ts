import { escapeControls } from './plain-text.ts'

/**
 * A value as indented JSON. Control and format characters stand as JSON escapes also where JSON would let them
 * through, since people look at it in terminals too.
 */
export function toJsonText(value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  return `${lines.map(escapeControls).join('\n')}\n`
}
