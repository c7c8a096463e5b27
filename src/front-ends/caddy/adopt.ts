import { parseUrl } from '../../http/parse-url.ts'
import { buildTree, type Directive, findAll, named, type Statement, splitLines } from '../directive.ts'
import { type Found, type FoundRule, type Note, parseOrigins, readFields, type SetFields } from '../found.ts'
import type { ConfigReader } from '../front-end.ts'
import { parsePatternPaths, parsePointPaths } from '../point-paths.ts'
import { isFault, readWords, type SyntaxFault, type Word } from '../words.ts'

export const reader: ConfigReader = {
  marks: [/\{[^\S\n]*$|^[^\S\n]*reverse_proxy\s/m],
  certainty: 1,
  parse: parseCaddy,
  read,
}

interface Scope {
  readonly prefix: string
  readonly notes: Note[]
  /** Those of the site. */
  readonly origins: readonly string[]
  /** Paths of the named matchers of the site, by `@name`. */
  readonly matchers: ReadonlyMap<string, readonly string[]>
  /** The paths of the enclosing block; empty: every path. */
  readonly paths: readonly string[]
  readonly fields: SetFields
}

function read(written: readonly Directive[], prefix: string): Found {
  const tree = putInSnippets(written)
  const notes: Note[] = []
  const imports = findAll(tree, ({ name }) => name === 'import').map(
    ({ line, words }) => [line, words[0]] as const,
  )
  for (const [line, name] of new Map(imports))
    notes.push({ line, text: `${name} is imported, and was not read` })
  const options = named(tree, '').flatMap(({ inner }) => inner)
  const hasTls = named(options, 'auto_https').every(({ words }) => words[0] !== 'off')
  const outside = tree.filter(({ name }) => DIRECTIVES.has(name) || name.startsWith('@'))
  for (const { line, name } of outside) notes.push({ line, text: `"${name}" is outside of any site` })
  const sites = tree.filter((each) => each.name !== '' && each.name !== 'import' && !outside.includes(each))
  const hosts = sites.map((site) => {
    const isSecure = hasTls || named(site.inner, 'tls').length > 0
    const origins = readOrigins(site, isSecure ? 'https' : 'http', notes)
    const matchers = readMatchers(site.inner, prefix, notes)
    const scope = { prefix, notes, origins, matchers, paths: [], fields: new Map() }
    return { origins, rules: readRules(site.inner, scope) }
  })
  return { hosts, notes }
}

/** Replaces `import NAME ARGUMENT…` by the directives of the snippet `(NAME)`, within bounds, and leaves the snippets out. */
function putInSnippets(tree: readonly Directive[]): readonly Directive[] {
  const [snippets, others] = [tree.filter(isSnippet), tree.filter((each) => !isSnippet(each))]
  const byName = new Map(snippets.map(({ name, inner }) => [name.slice(1, -1), inner]))
  let count = 0
  const putIn = (level: readonly Directive[], within: readonly string[]): readonly Directive[] =>
    level.flatMap((each) => {
      const [name = '', ...values] = each.words
      const snippet = each.name === 'import' && !within.includes(name) ? byName.get(name) : undefined
      if (snippet === undefined) return [{ ...each, inner: putIn(each.inner, within) }]
      count += 1
      if (count > MOST_IMPORTED) return [each]
      return putIn(
        snippet.map((inner) => fillIn(inner, values)),
        [...within, name],
      )
    })
  return putIn(others, [])
}

function isSnippet({ name }: Directive): boolean {
  return name.startsWith('(')
}

function fillIn({ name, words, line, inner }: Directive, values: readonly string[]): Directive {
  const fill = (text: string) =>
    text.replace(/\{args(?:\.(\d+)|\[(\d+)\])\}/g, (_all, a, b) => values[Number(a ?? b)] ?? '')
  return { name: fill(name), words: words.map(fill), line, inner: inner.map((each) => fillIn(each, values)) }
}

function readOrigins(
  { name, words, line }: Directive,
  scheme: 'http' | 'https',
  notes: Note[],
): readonly string[] {
  const addresses = [name, ...words].flatMap((word) => word.split(',')).filter((word) => word !== '')
  const urls = addresses.map((address) => {
    const [, written, host = '', port] =
      /^(?:(https?):\/\/)?([\w.-]+|\[[\d:a-f.]+\])(?::(\d+))?(?:\/.*)?$/i.exec(address) ?? []
    const ofPort = port === '80' ? 'http' : scheme
    return host === '' ? '' : `${written ?? ofPort}://${host}${port === undefined ? '' : `:${port}`}`
  })
  const unclear = addresses.filter((_, index) => parseUrl(urls[index] ?? '') === undefined)
  if (unclear.length > 0)
    notes.push({ line, text: `an address without a plain host is not used: ${unclear.join(', ')}` })
  return parseOrigins(urls)
}

function readMatchers(
  inner: readonly Directive[],
  prefix: string,
  notes: Note[],
): ReadonlyMap<string, readonly string[]> {
  const matchers = inner.filter(({ name }) => name.startsWith('@'))
  return new Map(
    matchers.map((matcher) => {
      const paths = findMatchedPaths(matcher, prefix)
      if (paths === 'unclear')
        notes.push({ line: matcher.line, text: `the matcher ${matcher.name} is not understood` })
      return [matcher.name, paths === 'unclear' ? [] : paths] as const
    }),
  )
}

/** On one line or in a block: `path A B`, or `path_regexp [NAME] PATTERN`. Another matcher is unclear if it contains the prefix. */
function findMatchedPaths({ words, inner }: Directive, prefix: string): readonly string[] | 'unclear' {
  const lines = inner.length > 0 ? inner.map(({ name, words: rest }) => [name, ...rest]) : [words]
  const found = lines.map(([kind, ...rest]) => {
    if (kind === 'path') return rest
    if (kind === 'path_regexp') return parsePatternPaths(rest.at(-1) ?? '', prefix)
    return rest.some((word) => word.includes(prefix.slice(1, -1))) ? 'unclear' : []
  })
  return found.some((each) => each === 'unclear') ? 'unclear' : found.flat()
}

function readRules(level: readonly Directive[], around: Scope): readonly FoundRule[] {
  const fields = new Map([...around.fields, ...readSetFields(level, 'request_header')])
  return level.flatMap((directive) => {
    const [first = ''] = directive.words
    const own = first.startsWith('@') ? (around.matchers.get(first) ?? []) : [first]
    const scope = { ...around, fields, paths: /^[@/]/.test(first) ? own : around.paths }
    if (BLOCKS.has(directive.name)) return readRules(directive.inner, scope)
    return directive.name === 'reverse_proxy' ? readProxy(directive, scope) : []
  })
}

function readProxy({ line, inner, words }: Directive, scope: Scope): readonly FoundRule[] {
  const found = scope.paths.flatMap((path) => {
    const bare = path.replace(/\*$/, '')
    const isUnclear = bare.includes('*') && bare.includes(scope.prefix)
    const paths = isUnclear ? 'unclear' : parsePointPaths(bare, scope.prefix)
    if (paths === 'unclear') scope.notes.push({ line, text: `the path ${path} is not understood` })
    return paths === 'unclear' ? [] : paths
  })
  const upstreams = [...words, ...named(inner, 'to').flatMap((each) => each.words)]
  const upstream = upstreams.find((word) => !/^[/@*]/.test(word))
  const isTls = findAll(inner, ({ name }) => name.startsWith('tls')).length > 0
  const target = parseTarget(upstream ?? '', isTls ? 'https' : 'http')
  const fields = new Map([...scope.fields, ...readSetFields(inner, 'header_up')])
  return found.map((path) => ({ line, path, target, ...readFields(fields, scope.origins) }))
}

function parseTarget(upstream: string, scheme: 'http' | 'https'): string | undefined {
  const written = /^https?:\/\//i.test(upstream)
    ? upstream
    : `${upstream.endsWith(':443') ? 'https' : scheme}://${upstream}`
  return /[{}$]/.test(upstream) ? undefined : parseOrigins([written])[0]
}

function readSetFields(level: readonly Directive[], directive: string): SetFields {
  const set = named(level, directive).filter(
    ({ words: [name = '', value] }) => value !== undefined && !/^[-?]/.test(name),
  )
  return new Map(
    set.map(({ words: [name = '', value = ''] }) => [name.replace(/^[+>]/, '').toLowerCase(), value]),
  )
}

/** At the top level are site blocks, whose words are addresses. A file with a single site may leave out the braces. */
function parseCaddy(text: string): readonly Directive[] | SyntaxFault {
  const words = readWords(withoutHeredocs(text), { quotes: '"`', marks: '' })
  if (isFault(words)) return words
  // After a comma at the end of a line, the next line continues the addresses.
  const lines = splitLines(words, (line) => line.at(-1)?.text.endsWith(',') === true)
  return buildTree((isOneSite(lines) ? withBraces(lines) : lines).map(toStatement))
}

function toStatement(words: readonly Word[]): Statement {
  const last = words.at(-1)
  if (isMark(last, '}') && words.length === 1) return { kind: 'end', words }
  if (!isMark(last, '{')) return { kind: 'line', words }
  return { kind: 'start', words: words.length === 1 ? [{ ...last, text: '' }] : words.slice(0, -1) }
}

function isOneSite([first]: readonly (readonly Word[])[]): boolean {
  return first !== undefined && !isMark(first.at(-1), '{') && first[0]?.text !== 'import'
}

function withBraces(lines: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const [addresses = [], ...rest] = lines
  const brace = (text: string): Word => ({ kind: 'bare', text, line: addresses[0]?.line ?? 1 })
  return [[...addresses, brace('{')], ...rest, [brace('}')]]
}

function isMark(word: Word | undefined, text: string): word is Word {
  return word?.kind === 'bare' && word.text === text
}

/** Heredocs are not directives. Their line feeds are kept, so that line numbers stay right. */
function withoutHeredocs(text: string): string {
  const lines = text.split('\n')
  let end: string | undefined
  return lines
    .map((line) => {
      if (end === undefined) {
        end = /(?:^|\s)<<(\w+)\s*$/.exec(line)?.[1]
        return line
      }
      if (line.trim().split(/\s/)[0] === end) end = undefined
      return ''
    })
    .join('\n')
}

const MOST_IMPORTED = 5_000
const BLOCKS = new Set(['handle', 'handle_path', 'route'])
/** A line that begins with one of these is not the address of a site. */
const DIRECTIVES = new Set([
  ...BLOCKS,
  ...'reverse_proxy respond redir rewrite uri header request_header root file_server encode'.split(' '),
  ...'tls log bind php_fastcgi handle_errors basic_auth forward_auth templates'.split(' '),
])
