import { type Directive, findAll, named } from '../directive.ts'
import {
  type Found,
  type FoundHost,
  type FoundRule,
  isPlainText,
  type Note,
  parseOrigins,
  readFields,
} from '../found.ts'
import type { ConfigReader } from '../front-end.ts'
import { parsePatternPaths, parsePointPaths } from '../point-paths.ts'
import { parseNginxText } from './tree.ts'

export const reader: ConfigReader = {
  marks: [/;[^\S\n]*(?:[#}].*)?$/m, /\b(?:server|location|http|upstream)\b[^;{}]{0,500}\{/],
  certainty: 2,
  parse: parseNginxText,
  read,
}

interface Scope {
  readonly prefix: string
  readonly notes: Note[]
  /** The first address of each upstream, by its name. */
  readonly upstreams: ReadonlyMap<string, string>
  /** Those of the server. */
  readonly origins: readonly string[]
  /** The `proxy_set_header` directives in effect: those of the nearest block that has any. */
  readonly fields: readonly Directive[]
  /** `set $name value;` of this block and those around it, the nearest last. */
  readonly variables: readonly Directive[]
}

function read(tree: readonly Directive[], prefix: string): Found {
  const notes: Note[] = []
  for (const { line, words } of findAll(tree, ({ name }) => name === 'include')) {
    if (!/mime\.types$|fastcgi|uwsgi|scgi|ssl/.test(words[0] ?? '')) {
      notes.push({ line, text: `${words[0]} is included, and was not read: "nginx -T" prints everything` })
    }
  }
  const http = [...tree, ...named(tree, 'http').flatMap(({ inner }) => inner)]
  const fields = named(http, 'proxy_set_header')
  const scope = { prefix, notes, upstreams: readUpstreams(http), origins: [], fields, variables: [] }
  const servers = findAll(tree, ({ name, inner }) => name === 'server' && inner.length > 0)
  return { hosts: servers.flatMap((server) => readServer(server, scope)), notes }
}

function readServer({ inner, line }: Directive, scope: Scope): readonly FoundHost[] {
  const origins = readOrigins(inner, line, scope.notes)
  const rules = readLocations(inner, { ...scope, origins })
  const isRedirect = inner.some(
    ({ name, words: [first = ''] }) =>
      (name === 'return' && /^30\d$/.test(first)) || (name === 'rewrite' && first === '^'),
  )
  return rules.length === 0 && isRedirect ? [] : [{ origins, rules }]
}

function readOrigins(inner: readonly Directive[], line: number, notes: Note[]): readonly string[] {
  const names = named(inner, 'server_name').flatMap(({ words }) => words)
  const plain = names.filter((name) => /^[\w-]+(?:\.[\w-]+)*\.?$/.test(name) && name !== '_')
  const unclear = names.filter((name) => !plain.includes(name) && name !== '_' && name !== '')
  if (unclear.length > 0)
    notes.push({ line, text: `names with wildcards or patterns are not hosts: ${unclear.join(', ')}` })
  const isSecure = named(inner, 'ssl').some(({ words }) => words[0] === 'on')
  const written = named(inner, 'listen').map(({ words }) => words)
  const ends = (written.length > 0 ? written : [['80']])
    .filter(([address]) => !address?.startsWith('unix:'))
    .map((words) => {
      const scheme = isSecure || words.includes('ssl') || words.includes('quic') ? 'https' : 'http'
      return { scheme, port: /^(?:.*:)?(\d+)$/.exec(words[0] ?? '')?.[1] ?? '80' }
    })
  return parseOrigins(plain.flatMap((name) => ends.map(({ scheme, port }) => `${scheme}://${name}:${port}`)))
}

function readLocations(level: readonly Directive[], around: Scope): readonly FoundRule[] {
  const scope = enter(level, around)
  return named(level, 'location').flatMap((location) => [
    ...readLocation(location, enter(location.inner, scope)),
    ...readLocations(location.inner, scope),
  ])
}

function enter(level: readonly Directive[], around: Scope): Scope {
  const fields = named(level, 'proxy_set_header')
  const variables = [...around.variables, ...named(level, 'set')]
  return { ...around, variables, fields: fields.length > 0 ? fields : around.fields }
}

function readLocation({ line, words, inner }: Directive, scope: Scope): readonly FoundRule[] {
  const pattern = words.at(-1) ?? ''
  // An exact match of the point without its last slash is not a rule for the point.
  if (words[0] === '=' && !pattern.endsWith('/')) return []
  const parsePaths = words[0]?.startsWith('~') ? parsePatternPaths : parsePointPaths
  const paths = parsePaths(pattern, scope.prefix)
  if (paths === 'unclear') {
    scope.notes.push({ line, text: `the paths of "location ${words.join(' ')}" are not understood` })
    return []
  }
  if (paths.length === 0) return []
  const [pass] = findAll(inner, ({ name }) => name === 'proxy_pass')
  if (pass === undefined && named(inner, 'include').length === 0) {
    scope.notes.push({ line, text: `"location ${words.join(' ')}" forwards nothing: it has no proxy_pass` })
    return []
  }
  const fields = scope.fields.map(
    ({ words: [name = '', value = ''] }) => [name.toLowerCase(), putIn(value, scope.variables)] as const,
  )
  const target = parseTarget(putIn(pass?.words[0] ?? '', scope.variables), scope.upstreams)
  return paths.map((path) => ({ line, path, target, ...readFields(new Map(fields), scope.origins) }))
}

function putIn(text: string, variables: readonly Directive[]): string {
  return variables.reduceRight((known, { words: [name = '', value = ''] }) => {
    return name.startsWith('$') ? known.replaceAll(name, () => value) : known
  }, text)
}

function parseTarget(text: string, upstreams: ReadonlyMap<string, string>): string | undefined {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]+)/i.exec(text) ?? []
  const url = `${scheme}://${upstreams.get(authority) ?? authority}`
  return isPlainText(url) ? parseOrigins([url])[0] : undefined
}

function readUpstreams(http: readonly Directive[]): ReadonlyMap<string, string> {
  return new Map(
    named(http, 'upstream').flatMap(({ words: [name = ''], inner }) => {
      const address = named(inner, 'server')[0]?.words[0]
      return address === undefined ? [] : [[name, address] as const]
    }),
  )
}
