import { join } from 'node:path'
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isConditionalExpression,
  isElementAccessExpression,
} from 'typescript/unstable/ast/is'
import { API, isUnionType, type Type, TypeFlags } from 'typescript/unstable/sync'
import { expect, it } from 'vitest'
import { top } from './source-tree.ts'

// `{}['toString']` is a function and `x['__proto__'] = y` no member: names from outside are looked up in a Map, or after
// `Object.hasOwn(x, name) ?`. Every key that is any text counts; one of a closed set of names does not.
it('looks up no name from outside in an object', () => {
  expect(findLookups()).toEqual(OWN_NAMES)
}, 60_000)

/** Any text to the compiler, but names of our own tables. */
const OWN_NAMES = [
  'src/api/answer.ts: body[name]',
  'src/config/environment.ts: env[name]',
  'src/config/parse.ts: copy[step]',
  'src/sandbox/rest/read-call.ts: given[name]',
  'src/sandbox/state/option-values.ts: body[a]',
  'src/sandbox/state/option-values.ts: body[b]',
  'src/sandbox/state/option-values.ts: rendered[option.a]',
  'src/sandbox/state/option-values.ts: rendered[option.b]',
  'src/sandbox/state/option-values.ts: values[option.name]',
  'src/sandbox/state/parse-seed.ts: input[key]',
]

function findLookups(): readonly string[] {
  const api = new API({ cwd: top })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(top, 'tsconfig.json')] }).getProjects()
    if (project === undefined) throw new Error('no project')
    const found = new Set<string>()
    for (const name of project.program.getSourceFileNames()) {
      const file = name.startsWith(join(top, 'src/')) ? project.program.getSourceFile(name) : undefined
      const lookups = file === undefined ? [] : lookupsBelow(file, file)
      if (lookups.length === 0) continue
      const types = project.checker.getTypeAtLocation(lookups.map(({ key }) => key))
      for (const [at, { text }] of lookups.entries())
        if (isAnyText(types[at])) found.add(`${name.slice(join(top, '/').length)}: ${text}`)
    }
    return [...found].sort()
  } finally {
    api.close()
  }
}

interface Lookup {
  readonly key: Node
  readonly text: string
}

function lookupsBelow(node: Node, file: SourceFile, guards: readonly string[] = []): readonly Lookup[] {
  const found: Lookup[] = []
  const textOf = (part: Node) => part.getText(file)
  if (isElementAccessExpression(node)) {
    const { expression, argumentExpression: key } = node
    const guard = `Object.hasOwn(${textOf(expression)}, ${textOf(key)})`
    if (!guards.includes(guard)) found.push({ key, text: textOf(node) })
  } else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
    found.push({ key: node.left, text: textOf(node) })
  node.forEachChild((child) => {
    const isGuarded = isConditionalExpression(node) && child === node.whenTrue
    found.push(...lookupsBelow(child, file, isGuarded ? [...guards, textOf(node.condition)] : guards))
  })
  return found
}

function isAnyText(type: Type | undefined): boolean {
  if (type === undefined) return true
  if (isUnionType(type)) return type.getTypes().some(isAnyText)
  return (
    (type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.Any | TypeFlags.Unknown)) !== 0
  )
}
