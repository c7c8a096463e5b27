import { formatPointer, type Location, type OrProblems, type Path, type Problem } from './problem.ts'
import { type JsonValue, type Place, readJson } from './read-json.ts'

/** A parsed config file. */
export interface ConfigDocument {
  readonly value: JsonValue
  /** Location of the value at a path, or of the last key of the path; if there is none, of the nearest value above it. */
  locate(path: Path, part: 'key' | 'value'): Location
  /** All duplicate keys, each at its later locations. */
  readonly duplicates: readonly Problem[]
}

/**
 * Parses JSON with comments and trailing commas.
 *
 * @param text with or without a byte order mark
 * @param file the path as the user gave it
 * @returns the document, or the first syntax error; duplicate keys are not among them
 */
export function parseDocument(text: string, file: string): OrProblems<{ readonly document: ConfigDocument }> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const ofWhole = { location: { file, pointer: '' } }
  const unfit = unfitReason(body)
  if (unfit !== undefined) return { problems: [{ ...ofWhole, ...unfit }] }
  const read = readJson(body, DEEPEST_NESTING)
  if (read.kind === 'too-deep') {
    const expected = `at most ${DEEPEST_NESTING} levels`
    return { problems: [{ ...ofWhole, message: 'nested too deeply', expected }] }
  }
  const lineStarts = findLineStarts(body)
  const toLocation = (offset: number, path: Path) => ({
    file,
    ...findPosition(offset, lineStarts),
    pointer: formatPointer(path),
  })
  if (read.kind === 'fault') {
    const { offset, ...fault } = read.fault
    return { problems: [{ location: toLocation(offset, []), ...fault }] }
  }
  const { value, place, duplicates } = read
  return {
    document: {
      value,
      locate(path, part) {
        const { offset, keyOffset = offset } = findPlace(place, path)
        return toLocation(part === 'key' ? keyOffset : offset, path)
      },
      duplicates: duplicates.map(({ path, place: { keyOffset = 0, firstKeyOffset = 0 } }) => ({
        location: toLocation(keyOffset, path),
        message: `duplicate key ${JSON.stringify(path.at(-1))}`,
        expected: 'each key once',
        found: `the same key on line ${findPosition(firstKeyOffset, lineStarts).line}`,
      })),
    },
  }
}

function findPlace(root: Place, path: Path): Place {
  let place = root
  for (const step of path) {
    const member = place.members?.get(step)
    if (member === undefined) return place
    place = member
  }
  return place
}

/** The offset of each line, so that a position takes a binary search. */
function findLineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)]
}

/** Line and column of an offset, both from 1; columns count UTF-16 code units, as editors do. */
function findPosition(offset: number, lineStarts: readonly number[]) {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}

/** Input for which the messages of the parser would not help. */
function unfitReason(text: string): Omit<Problem, 'location'> | undefined {
  if (text.length > MOST_CHARACTERS)
    return { message: 'the file is too large', expected: `at most ${MOST_CHARACTERS} characters` }
  if (/[\u0000\ufffd]/.test(text)) return { message: 'not a text file', expected: 'JSON in UTF-8' }
  if (text.trim() === '') return { message: 'the file is empty', expected: 'a JSON object' }
  return undefined
}

const MOST_CHARACTERS = 4 * 1024 * 1024

const DEEPEST_NESTING = 32
