import { escapeControls } from '../text/escape.ts'
import type { Location, Problem } from './problem.ts'

/**
 * The problems in the format of a compiler: one block each, the location first, ending with a line feed. Control and
 * format characters of the file are escaped.
 */
export function renderProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => `${toBlock(problem).map(escapeControls).join('\n')}\n`).join('')
}

function toBlock({ location, message, expected, found, suggestion }: Problem): readonly string[] {
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  return [
    `${toPlace(location)}: ${message}${question}`,
    ...(expected === undefined ? [] : [`  expected ${expected}`]),
    ...(found === undefined ? [] : [`  found    ${found}`]),
  ]
}

function toPlace({ file, line, column, pointer }: Location): string {
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`
  const shown = pointer.length > longestPointer ? `${pointer.slice(0, longestPointer)}…` : pointer
  return `${file}${position}${shown === '' ? '' : ` ${shown}`}`
}

const longestPointer = 200
