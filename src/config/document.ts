import { findLineStarts, findPosition, formatPointer, type Path } from './location.ts'
import type { Location, Problem } from './problem.ts'
import type { Steps } from './steps.ts'
import { parseTree, type SyntaxFault, type SyntaxFaultKind, type SyntaxNode } from './syntax-tree.ts'

/** A parsed config file: its value, and the locations of its parts. */
export interface ConfigDocument {
  readonly file: string
  readonly root: SyntaxNode
  readonly lineStarts: readonly number[]
  readonly value: JsonValue
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** Without a prototype, so that `__proto__` and `constructor` are ordinary keys. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/**
 * Parses JSON with comments and trailing commas.
 *
 * @param text with or without a byte order mark
 * @param file the path as the user gave it
 * @returns the document, or all syntax errors; duplicate keys are not among them (see `findDuplicateKeys`)
 */
export function* parseDocument(
  text: string,
  file: string,
): Steps<{ readonly document: ConfigDocument } | { readonly problems: readonly Problem[] }> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const unfit = unfitReason(body)
  if (unfit !== undefined) return { problems: [{ location: { file, pointer: '' }, ...unfit }] }
  yield
  const lineStarts = findLineStarts(body)
  const { root, faults, isTooDeep } = parseTree(body, DEEPEST_NESTING)
  yield
  if (isTooDeep) {
    const expected = `at most ${DEEPEST_NESTING} levels`
    return { problems: [{ location: { file, pointer: '' }, message: 'nested too deeply', expected }] }
  }
  if (faults.length > 0 || root === undefined) {
    return { problems: explainFaults(faults, file, lineStarts) }
  }
  return { document: { file, root, lineStarts, value: evaluate(root) } }
}

/** All duplicate keys, each at its later locations. */
export function findDuplicateKeys(document: ConfigDocument): readonly Problem[] {
  const problems: Problem[] = []
  const visit = (node: SyntaxNode, path: Path): void => {
    const firstByKey = new Map<string, SyntaxNode>()
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'array') visit(child, [...path, index])
      const [key, value] = child.type === 'property' ? (child.children ?? []) : []
      if (key === undefined || value === undefined) continue
      const childPath = [...path, String(key.value)]
      const first = firstByKey.get(String(key.value))
      if (first === undefined) {
        firstByKey.set(String(key.value), key)
      } else {
        problems.push({
          location: toLocation(document, key, childPath),
          message: `duplicate key ${JSON.stringify(key.value)}`,
          expected: 'each key once',
          found: `the same key on line ${findPosition(first.offset, document.lineStarts).line}`,
        })
      }
      visit(value, childPath)
    }
  }
  visit(document.root, [])
  return problems
}

/** Location of the value at a path; if there is none, of the nearest value above it. */
export function locateValue(document: ConfigDocument, path: Path): Location {
  return toLocation(document, findNode(document.root, path) ?? document.root, path)
}

/** Location of the last key of a path. */
export function locateKey(document: ConfigDocument, path: Path): Location {
  const value = findNode(document.root, path) ?? document.root
  const key = value.parent?.type === 'property' ? value.parent.children?.[0] : undefined
  return toLocation(document, key ?? value, path)
}

function toLocation(document: ConfigDocument, node: SyntaxNode, path: Path): Location {
  return {
    file: document.file,
    ...findPosition(node.offset, document.lineStarts),
    pointer: formatPointer(path),
  }
}

function findNode(root: SyntaxNode, path: Path): SyntaxNode | undefined {
  let node: SyntaxNode = root
  for (const step of path) {
    const child =
      typeof step === 'number'
        ? node.children?.[step]
        : node.children?.findLast((property) => property.children?.[0]?.value === step)?.children?.[1]
    if (child === undefined) return node
    node = child
  }
  return node
}

/** The first problem of each line, without follow-up errors for a value that the parser skipped. */
function explainFaults(
  faults: readonly SyntaxFault[],
  file: string,
  lineStarts: readonly number[],
): readonly Problem[] {
  const problemByLine = new Map<number, Problem>()
  let previous: SyntaxFaultKind | undefined
  for (const { kind, offset } of faults) {
    const isEcho = kind === 'no-value' && previous === 'symbol'
    previous = kind
    const position = findPosition(offset, lineStarts)
    if (isEcho || problemByLine.has(position.line)) continue
    problemByLine.set(position.line, { location: { file, ...position, pointer: '' }, ...SYNTAX_FAULTS[kind] })
  }
  return [...problemByLine.values()].slice(0, MOST_SYNTAX_PROBLEMS)
}

function evaluate(node: SyntaxNode): JsonValue {
  if (node.type === 'array') return (node.children ?? []).map(evaluate)
  if (node.type !== 'object') return node.value ?? null
  const object: Record<string, JsonValue> = Object.create(null)
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? []
    if (key !== undefined && value !== undefined) object[String(key.value)] = evaluate(value)
  }
  return object
}

/** Input that the recursive parser can't handle, or for which its messages would not help. */
function unfitReason(text: string): Omit<Problem, 'location'> | undefined {
  if (text.length > MOST_CHARACTERS) {
    return { message: 'the file is too large', expected: `at most ${MOST_CHARACTERS} characters` }
  }
  if (/[\u0000\ufffd]/.test(text)) return { message: 'not a text file', expected: 'JSON in UTF-8' }
  if (text.trim() === '') return { message: 'the file is empty', expected: 'a JSON object' }
  return undefined
}

const MOST_CHARACTERS = 4 * 1024 * 1024

const DEEPEST_NESTING = 32

const MOST_SYNTAX_PROBLEMS = 10

const SYNTAX_FAULTS: Readonly<Record<SyntaxFaultKind, Omit<Problem, 'location'>>> = {
  symbol: {
    message: 'not JSON',
    expected: 'double quotes around keys and strings; else a number, true, false or null',
  },
  'no-key': { message: 'not a key', expected: 'a key in double quotes' },
  'no-value': { message: 'missing value', expected: 'a JSON value' },
  'no-colon': { message: 'missing colon', expected: 'a colon after the key' },
  'no-comma': { message: 'missing comma', expected: 'a comma before this' },
  'no-close-brace': { message: 'unclosed object', expected: 'a closing brace' },
  'no-close-bracket': { message: 'unclosed array', expected: 'a closing bracket' },
  'no-end': { message: 'text after the end', expected: 'one JSON object and nothing after it' },
  'end-of-comment': { message: 'unclosed comment', expected: '*/' },
  'end-of-string': { message: 'unclosed string', expected: 'a closing double quote on the same line' },
  'end-of-number': { message: 'unfinished number', expected: 'a digit' },
  unicode: { message: 'malformed escape', expected: 'four hexadecimal digits after \\u' },
  escape: { message: 'unknown escape', expected: 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u' },
  'control-character': { message: 'control character in a string', expected: 'an escape such as \\n' },
}
