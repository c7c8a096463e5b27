import type { RenderedPart } from './rendered.ts'

/** A file of the parts, as it is written. */
export interface PartFile {
  readonly file: string
  readonly text: string
}

/** One line that can be left out; with it goes the block that it opens. */
export interface PartLine {
  readonly file: string
  /** Without the blanks around it. */
  readonly line: string
  /** All files, this line left out. */
  readonly without: readonly PartFile[]
}

/** Every line of the parts that is neither a comment nor the end of a block, nor part of a block for rewritten paths. */
export function toLines(parts: readonly RenderedPart[]): readonly PartLine[] {
  return parts.flatMap(({ file, text }) => {
    const lines = text.split('\n')
    const repeated = lines.map((line, at) =>
      /^handle \S+_rewritten \{$/.test(line) ? [at, endOf(lines, at)] : [],
    )
    const isRepeated = (at: number) => repeated.some(([from = at + 1, to = 0]) => at >= from && at <= to)
    return lines.flatMap((each, at): PartLine[] => {
      const line = each.trim()
      if (line === '' || line.startsWith('#') || isEnd(line) || isRepeated(at)) return []
      const rest = [...lines.slice(0, at), ...lines.slice(endOf(lines, at) + 1)].join('\n')
      const without = parts.map((part) => ({
        file: part.file,
        text: part.file === file ? rest : part.text,
      }))
      return [{ file, line, without }]
    })
  })
}

/** The index of the last line of what a line opens: its own when it opens nothing. */
function endOf(lines: readonly string[], at: number): number {
  let depth = 0
  for (let index = at; index < lines.length; index += 1) {
    const line = lines[index]?.trim() ?? ''
    if (isStart(line)) depth += 1
    if (isEnd(line)) depth -= 1
    if (depth === 0) return index
  }
  return at
}

function isStart(line: string): boolean {
  return line.endsWith('{') || /^<[A-Z]/.test(line)
}

function isEnd(line: string): boolean {
  return line === '}' || line.startsWith('</')
}
