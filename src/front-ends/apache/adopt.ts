import { buildTree, type Directive, findAll, named, type Statement, splitLines } from '../directive.ts'
import { type Found, type FoundHost, type FoundRule, type Note, parseOrigins, readFields } from '../found.ts'
import type { ConfigReader } from '../front-end.ts'
import { parsePatternPaths, parsePointPaths } from '../point-paths.ts'
import { isFault, readWords, type SyntaxFault, type Word } from '../words.ts'

export const reader: ConfigReader = {
  marks: [
    /^[^\S\n]*(?:<VirtualHost\b|<Location(?:Match)?\b|ProxyPass(?:Match)?\s|ServerName\s|RequestHeader\s)/im,
  ],
  certainty: 3,
  parse: parseApache,
  read,
}

function read(tree: readonly Directive[], prefix: string): Found {
  const notes: Note[] = []
  const flat = withoutConditions(tree)
  for (const { line, name, words } of findAll(flat, ({ name }) => NOT_FOLLOWED.has(name))) {
    const what = name === 'use' ? `the macro ${words[0]} is used` : `${words[0]} is included`
    notes.push({ line, text: `${what}, and was not read` })
  }
  const blocks = named(flat, 'virtualhost')
  const main: Directive = { name: '', words: [], line: 1, inner: flat }
  const hosts = (blocks.length > 0 ? blocks : [main]).flatMap((block) => readHost(block, prefix, notes))
  return { hosts, notes }
}

function readHost(block: Directive, prefix: string, notes: Note[]): readonly FoundHost[] {
  const origins = readOrigins(block, notes)
  const rules = readRules(block.inner, origins, prefix, notes)
  return rules.length === 0 && redirectsAll(block.inner) ? [] : [{ origins, rules }]
}

function readOrigins({ words, line, inner }: Directive, notes: Note[]): readonly string[] {
  const names = [...named(inner, 'servername'), ...named(inner, 'serveralias')].flatMap((each) => each.words)
  const unclear = names.filter((name) => /[*?$]/.test(name))
  if (unclear.length > 0)
    notes.push({ line, text: `names with wildcards or variables are not hosts: ${unclear.join(', ')}` })
  const isSecure = named(inner, 'sslengine').some((each) => each.words[0]?.toLowerCase() === 'on')
  const addresses =
    words.length > 0 ? words : named(inner, 'listen').flatMap((each) => each.words.slice(0, 1))
  const ends = (addresses.length > 0 ? addresses : ['80']).map((word) => {
    const port = /(?:^|:)(\d+)$/.exec(word)?.[1]
    return {
      scheme: isSecure || port === '443' ? 'https' : 'http',
      end: port === undefined ? '' : `:${port}`,
    }
  })
  const urls = names
    .filter((name) => !unclear.includes(name))
    .flatMap((name) =>
      /^https?:\/\//i.test(name)
        ? [name]
        : ends.map(({ scheme, end }) => `${scheme}://${name.replace(/:\d+$/, '')}${end}`),
    )
  return parseOrigins(urls)
}

function readRules(
  inner: readonly Directive[],
  origins: readonly string[],
  prefix: string,
  notes: Note[],
): readonly FoundRule[] {
  const sections = inner.filter(({ name }) => name === 'location' || name === 'locationmatch')
  for (const [index, { name, words, line }] of inner.entries()) {
    const conditions =
      name === 'rewriterule' && FORWARDS.test(words[2] ?? '') ? findConditions(inner, index) : []
    if (conditions.some((condition) => condition.includes(prefix.slice(1, -1))))
      notes.push({ line, text: 'the conditions of this RewriteRule are not understood' })
  }
  return [...inner.map(toPass), ...sections.flatMap(findPassWithin)].filter(isForwarding).flatMap((pass) => {
    const { directive, path, target } = pass
    const { line, name } = directive
    const paths = findPaths(directive, path, prefix)
    if (paths === 'unclear') notes.push({ line, text: `the paths of "${name} ${path}" are not understood` })
    const [url] = parseOrigins(/^https?:\/\/[^/$%]+/i.exec(target) ?? [])
    return (paths === 'unclear' ? [] : paths).map((each) => {
      const around = sections.filter((section) =>
        findPaths(section, section.words.at(-1) ?? '', prefix).includes(each),
      )
      const fields = [inner, ...around.map((section) => section.inner)].flatMap(readSetFields)
      return { line, path: each, target: url, ...readFields(new Map(fields), origins) }
    })
  })
}

/** A directive that may forward a path. */
type Pass = Readonly<ReturnType<typeof toPass>>

function toPass(directive: Directive) {
  const [path = '', target = ''] = directive.words
  return { directive, path, target }
}

function findPassWithin(section: Directive): readonly Pass[] {
  const pass = section.inner.find(({ name }) => name === 'proxypass' || name === 'sethandler')
  const target = pass?.words[0]?.replace(/^proxy:/, '')
  return target === undefined ? [] : [{ directive: section, path: section.words.at(-1) ?? '', target }]
}

function isForwarding({ directive: { name, words }, target }: Pass): boolean {
  return name === 'rewriterule' ? FORWARDS.test(words[2] ?? '') : FORWARDING.has(name) && target !== '!'
}

function findPaths({ name, words }: Directive, path: string, prefix: string): readonly string[] | 'unclear' {
  const isPattern = /match$|^rewriterule$/.test(name) || words[0] === '~'
  return isPattern ? parsePatternPaths(path, prefix) : parsePointPaths(path, prefix)
}

function readSetFields(directives: readonly Directive[]): readonly (readonly [string, string])[] {
  return named(directives, 'requestheader').flatMap(({ words: [action = '', name = '', value = ''] }) =>
    /^(?:set|setifempty|add|append)$/i.test(action)
      ? [[name.replace(/:$/, '').toLowerCase(), value] as const]
      : [],
  )
}

function redirectsAll(inner: readonly Directive[]): boolean {
  return inner.some(({ name, words }, index) => {
    if (/^redirect(?:permanent)?$/.test(name) && words.includes('/')) return true
    const [pattern = '', target = '', flags = ''] = words
    return (
      name === 'rewriterule' &&
      /^\^?(?:\/\?)?(?:\(?\.\*\)?)?\$?$/.test(pattern) &&
      /^https:/i.test(target) &&
      /[[,]R/i.test(flags) &&
      findConditions(inner, index).every((condition) => /HTTPS|SERVER_PORT|REQUEST_SCHEME/.test(condition))
    )
  })
}

/** The conditions directly before the directive with this index. */
function findConditions(inner: readonly Directive[], index: number): readonly string[] {
  const before = inner.slice(0, index)
  const start = before.findLastIndex(({ name }) => name !== 'rewritecond') + 1
  return before.slice(start).map(({ words }) => words.join(' '))
}

/** Directives in `<IfModule>` and the like are read as if the condition holds. */
function withoutConditions(directives: readonly Directive[]): readonly Directive[] {
  return directives.flatMap((each) => {
    const inner = withoutConditions(each.inner)
    return /^if(?:module|define|version|directive|file|section)$/.test(each.name)
      ? inner
      : [{ ...each, inner }]
  })
}

/** Parses a config of Apache httpd into directives with lower-case names; variables that it defines are substituted. */
function parseApache(text: string): readonly Directive[] | SyntaxFault {
  // A comment takes the whole line; a `#` after other text does not begin one.
  const words = readWords(text.replace(/^[^\S\n]*#.*$/gm, ''), { quotes: `"'`, marks: '' })
  if (isFault(words)) return words
  const variables = new Map<string, string>()
  return buildTree(
    splitLines(words).map((line) => {
      const known = line.map((word, index) => {
        const text = word.text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole)
        return { ...word, text: index === 0 ? text.toLowerCase() : text }
      })
      const [first, second, third] = known
      if (first?.text === 'define' && second !== undefined) variables.set(second.text, third?.text ?? '')
      return toStatement(known)
    }),
  )
}

function toStatement(words: readonly Word[]): Statement {
  const { kind, text } = words[0] ?? { kind: 'bare', text: '' }
  if (kind === 'quoted' || !text.startsWith('<')) return { kind: 'line', words }
  if (text.startsWith('</')) return { kind: 'end', words, ends: text.replace(/^<\/|>$/g, '') }
  return { kind: 'start', words: toSection(words) }
}

/** `<Location "/x">` as the words `location` and `/x`. */
function toSection(line: readonly Word[]): readonly Word[] {
  const words = line.map((word, index) => {
    if (word.kind === 'quoted') return word
    const opened = index === 0 ? word.text.slice(1) : word.text
    return { ...word, text: index === line.length - 1 ? opened.replace(/>$/, '') : opened }
  })
  return words.filter(({ text }, index) => index === 0 || text !== '')
}

const NOT_FOLLOWED = new Set(['include', 'includeoptional', 'use'])
const FORWARDING = new Set(['proxypass', 'proxypassmatch', 'location', 'locationmatch'])

/** The flags of a RewriteRule, with P among them. */
const FORWARDS = /^\[(?:.*,)?P(?:,.*)?\]$/i
