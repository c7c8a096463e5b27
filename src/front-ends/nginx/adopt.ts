import { type Directive, findAll, named } from '../directive.ts'
import type { Found, FoundHost, FoundRule, Note } from '../found.ts'
import { isPlainText, parseOrigins, readFields } from '../found.ts'
import type { ConfigReader } from '../front-end.ts'
import { parsePatternPaths, parsePointPaths } from '../point-paths.ts'
import { parseNginxText } from './dump.ts'

export const reader: ConfigReader = {
  marks: [/;[^\S\n]*(?:[#}].*)?$/m, /\b(?:server|location|http|upstream)\b[^;{}]{0,500}\{/],
  certainty: 2,
  parse: parseNginxText,
  read,
}

function read(tree: readonly Directive[], prefix: string): Found {
  const notes: Note[] = []
  const servers = findAll(tree, ({ name, inner }) => name === 'server' && inner.length > 0)
  const http = [...tree, ...named(tree, 'http').flatMap(({ inner }) => inner)]
  const context: Context = { prefix, notes, upstreams: readUpstreams(http) }
  for (const { line, words } of findAll(tree, ({ name }) => name === 'include')) {
    if (!/mime\.types$|fastcgi|uwsgi|scgi|ssl/.test(words[0] ?? '')) {
      notes.push({ line, text: `${words[0]} is included, and was not read: "nginx -T" prints everything` })
    }
  }
  const hosts = servers.map((server) => readServer(server, named(http, 'proxy_set_header'), context))
  return { hosts: hosts.filter((host) => host !== undefined), notes }
}

interface Context {
  readonly prefix: string
  readonly notes: Note[]
  /** The first address of each upstream, by its name. */
  readonly upstreams: ReadonlyMap<string, string>
}

function readServer(
  { inner, line }: Directive,
  fields: readonly Directive[],
  context: Context,
): FoundHost | undefined {
  const origins = readOrigins(inner, line, context.notes)
  const own = named(inner, 'proxy_set_header')
  const rules = readLocations(
    inner,
    { origins, fields: own.length > 0 ? own : fields, variables: [] },
    context,
  )
  const redirects = named(inner, 'return').some(({ words }) => /^30\d$/.test(words[0] ?? ''))
  const isRedirect = redirects || named(inner, 'rewrite').some(({ words }) => words[0] === '^')
  return rules.length === 0 && isRedirect ? undefined : { origins, rules }
}

function readOrigins(inner: readonly Directive[], line: number, notes: Note[]): readonly string[] {
  const names = named(inner, 'server_name').flatMap(({ words }) => words)
  const plain = names.filter((name) => /^[\w-]+(?:\.[\w-]+)*\.?$/.test(name) && name !== '_')
  const unclear = names.filter((name) => !plain.includes(name) && name !== '_' && name !== '')
  if (unclear.length > 0)
    notes.push({ line, text: `names with wildcards or patterns are not hosts: ${unclear.join(', ')}` })
  const isSecure = named(inner, 'ssl').some(({ words }) => words[0] === 'on')
  const written = named(inner, 'listen')
  const listeners = written.length > 0 ? written.map(({ words }) => words) : [['80']]
  const ends = listeners.flatMap((words) => {
    const port = /^(?:.*:)?(\d+)$/.exec(words[0] ?? '')?.[1] ?? '80'
    if (words[0]?.startsWith('unix:')) return []
    return [{ scheme: isSecure || words.includes('ssl') || words.includes('quic') ? 'https' : 'http', port }]
  })
  const urls = plain.flatMap((name) => ends.map(({ scheme, port }) => `${scheme}://${name}:${port}`))
  return parseOrigins(urls)
}

interface Scope {
  readonly origins: readonly string[]
  /** The `proxy_set_header` directives in effect: those of the nearest block that has any. */
  readonly fields: readonly Directive[]
  /** `set $name value;` of the enclosing blocks, the nearest last. */
  readonly variables: readonly Directive[]
}

function readLocations(level: readonly Directive[], scope: Scope, context: Context): readonly FoundRule[] {
  const variables = [...scope.variables, ...named(level, 'set')]
  return named(level, 'location').flatMap((location) => {
    const own = named(location.inner, 'proxy_set_header')
    const here = { ...scope, variables, fields: own.length > 0 ? own : scope.fields }
    return [...readLocation(location, here, context), ...readLocations(location.inner, here, context)]
  })
}

function readLocation(
  location: Directive,
  scope: Scope,
  { prefix, notes, upstreams }: Context,
): readonly FoundRule[] {
  const { line, words, inner } = location
  const pattern = words.at(-1) ?? ''
  // An exact match of the point without its last slash is not a rule for the point.
  if (words[0] === '=' && !pattern.endsWith('/')) return []
  const paths = words[0]?.startsWith('~')
    ? parsePatternPaths(pattern, prefix)
    : parsePointPaths(pattern, prefix)
  if (paths === 'unclear') {
    notes.push({ line, text: `the paths of "location ${words.join(' ')}" are not understood` })
    return []
  }
  if (paths.length === 0) return []
  const [pass] = findAll(inner, ({ name }) => name === 'proxy_pass')
  if (pass === undefined && named(inner, 'include').length === 0) {
    notes.push({ line, text: `"location ${words.join(' ')}" forwards nothing: it has no proxy_pass` })
    return []
  }
  const variables = [...scope.variables, ...named(inner, 'set')]
  const text = (value: string) => putIn(value, variables)
  const fields = new Map(
    scope.fields.map(({ words: [name = '', value = ''] }) => [name.toLowerCase(), text(value)]),
  )
  const target = parseTarget(text(pass?.words[0] ?? ''), upstreams)
  const set = readFields(fields, scope.origins)
  return paths.map((path) => ({ line, path, target, ...set }))
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
