import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Import, readSources, type SourceFile, top } from './source-tree.ts'

const sources = readSources('src')

/** What each folder of `src` may import of Node and of packages. What of ours, its row in the map of `src/README.md` says. */
interface Folder {
  readonly reason: string
  /** `type`: only types of Node's. */
  readonly node?: 'any' | 'type'
  /** Absent: any that `owners` allows. */
  readonly packages?: readonly string[]
}

const folders: Readonly<Record<string, Folder>> = {
  text: { reason: 'a leaf: text for terminals, HTML, JSON and metrics, pure', packages: [] },
  http: { reason: 'a leaf: vocabulary of the protocol, pure, good in any runtime', packages: [] },
  site: {
    reason: 'what a browser derives from a host, by the public suffix list; pure',
    packages: ['tldts'],
  },
  config: { reason: 'untrusted JSON becomes a config, for everything above it', node: 'any' },
  scopes: { reason: 'exports of browsers are read as text; no file is opened here', packages: [] },
  points: { reason: 'points are pure: URLs and types of the config', packages: [] },
  forward: {
    reason: 'decisions are pure, without sockets and clocks: they run at the edge too',
    packages: [],
  },
  proxy: {
    reason: 'moves bytes by those decisions, and runs without checker, client, stand-in and command line',
    node: 'any',
  },
  serve: { reason: 'the process around the proxy', node: 'any' },
  edge: { reason: 'shares the decisions with the proxy, but no sockets' },
  probe: { reason: 'asks the network, and does not judge', node: 'any', packages: [] },
  check: { reason: 'observes from outside: with code of the proxy it would share its bugs', node: 'any' },
  'front-ends': {
    reason: 'texts for front ends and from them, made with the rules about fields; pure',
    packages: [],
  },
  rehearsal: {
    reason: 'drives a browser on a site, and judges with what check knows of cookies',
    node: 'any',
    packages: [],
  },
  api: { reason: 'the client of the service, usable without the rest', node: 'any' },
  account: {
    reason: 'compares what the service says of an account with the config, and changes it by the client',
    node: 'any',
    packages: ['valibot'],
  },
  setup: {
    reason: 'a first config, made of answers and exports, in which check finds no error',
    packages: [],
  },
  sandbox: {
    reason: 'the stand-in, which imports little, so that tests of the others mean something',
    node: 'any',
    packages: ['hono', '@hono/node-server', 'valibot'],
  },
  cli: { reason: 'ties everything together', node: 'any' },
}

/**
 * Finer rules, on single files and folders. Paths are below `src`; a folder ends with a slash. Each path must exist, or a
 * rule would go on passing after what it is about was renamed.
 */
interface Rule {
  readonly files: readonly string[]
  /** Of the files below these, only those in `allows` may be imported. */
  readonly within?: readonly string[]
  readonly allows?: readonly string[]
  /** These may not be imported, or only as types. */
  readonly forbids?: readonly string[]
  readonly forbidsButTypes?: readonly string[]
}

const isOurs = (target: Import) => target.specifier.startsWith('.')
const isNode = ({ target }: Import) => target.startsWith('node:')
const roomOf = ({ target }: Import) => (target.startsWith('src/') ? (target.split('/')[1] ?? '') : '')
const packageOf = ({ target }: Import) => target.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? ''
const isAt = (path: string, places: readonly string[]) =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(`src/${place}`) : path === `src/${place}`))

/** The folders that the files of each folder import. */
const below: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(sources.map(({ room }) => room))].map((room) => {
    const targets = sources.filter((file) => file.room === room).flatMap(({ imports }) => imports)
    const rooms = new Set(targets.map(roomOf).filter((name) => name in folders && name !== room))
    return [room, [...rooms].sort()]
  }),
)

const everyFolderBut = (...left: readonly string[]) =>
  [...Object.keys(folders), 'index.ts', 'node.ts', 'hono.ts', 'edge.ts']
    .filter((name) => !left.includes(name))
    .map((name) => (name.endsWith('.ts') ? name : `${name}/`))

/** By their reason. */
const rules: Readonly<Record<string, Rule>> = {
  'points know the types of the config, not how it is read': {
    files: ['points/'],
    within: ['config/'],
    allows: ['config/config.ts', 'config/problem.ts', 'config/secret.ts'],
  },
  'the stand-in finds unknown keys as the config does, and has nothing else of it': {
    files: ['sandbox/'],
    within: ['config/'],
    allows: ['config/key-faults.ts', 'config/problem.ts'],
  },
  'the stand-in has the names of options from the client, which the tests hold once more, and nothing else of it':
    { files: ['sandbox/'], within: ['api/'], allows: ['api/session-options.ts'] },
  'the client knows secrets, not the config': {
    files: ['api/'],
    within: ['config/'],
    allows: ['config/secret.ts'],
  },
  'check compares accounts that others have read': {
    files: ['check/'],
    within: ['account/'],
    allows: ['account/settings.ts', 'account/read-account.ts'],
    forbidsButTypes: ['account/read-account.ts'],
  },
  'check explains our own answers with their texts, and decides nothing as the proxy does': {
    files: ['check/'],
    within: ['forward/'],
    allows: ['forward/failure.ts'],
  },
  'recipes use the rules about fields, not the decisions about a request': {
    files: ['front-ends/'],
    within: ['forward/'],
    allows: ['forward/field-rules.ts'],
  },
  'the config of a web server is text: nothing is loaded': {
    files: ['front-ends/'],
    forbids: ['config/load.ts', 'config/read-text-file.ts'],
  },
  'check asks a front end for its marks, its advice and where it finds serve, not for what it writes': {
    files: ['check/'],
    within: ['front-ends/'],
    allows: ['front-ends/advisors.ts', 'front-ends/advisor.ts', 'front-ends/forward-target.ts'],
  },
  'check/read interprets answers: it neither asks nor judges': {
    files: ['check/read/'],
    within: ['check/'],
    allows: ['check/read/', 'check/by-key.ts'],
  },
  'check/ask gathers answers, and judges nothing': {
    files: ['check/ask/'],
    within: ['check/'],
    allows: ['check/ask/', 'check/read/', 'check/carriage.ts', 'check/facts.ts', 'check/parsed-url.ts'],
  },
  'a rule judges what was read: it asks nothing, and leaves skipping and blame to the engine': {
    files: ['check/rules/'],
    forbids: [
      ...['check/ask/', 'check/report/', 'check/check.ts', 'check/run-rules.ts'],
      ...['check/causes.ts', 'check/consequences.ts', 'check/suppression.ts', 'check/not-judged.ts'],
    ],
    forbidsButTypes: ['probe/'],
  },
  'the internals of the proxy are below the files beside them': {
    files: ['proxy/internals/'],
    within: ['proxy/'],
    allows: ['proxy/internals/', 'proxy/growing-buffer.ts'],
  },
  'the command line ties together what is whole: neither parts of serve nor what runs elsewhere': {
    files: ['cli/'],
    forbids: ['edge/', 'forward/', 'proxy/', 'site/'],
  },
  'nothing in production imports the stand-in': {
    files: everyFolderBut('cli', 'sandbox'),
    forbids: ['sandbox/'],
  },
}

interface Owned {
  readonly reason: string
  /** Who may use it. Each of them does, or it is no owner. */
  readonly owners: readonly string[]
}

const packages: Readonly<Record<string, Owned>> = {
  undici: {
    reason: 'one concept knows how requests are sent',
    owners: [
      ...['proxy/upstream.ts', 'proxy/connection.ts', 'proxy/internals/undici-client.ts'],
      'api/transport-undici.ts',
    ],
  },
  hono: {
    reason: 'only apps use Hono: the proxy, the edge and the stand-in',
    owners: ['proxy/app.ts', 'edge/', 'sandbox/'],
  },
  '@hono/node-server': {
    reason: 'it serves what programs mount, and the stand-in; it loads too much for the start of `serve`',
    owners: ['index.ts', 'proxy/app.ts', 'sandbox/'],
  },
  tldts: { reason: 'one file asks the public suffix list', owners: ['site/site.ts'] },
  valibot: {
    reason:
      'one vocabulary for untrusted JSON: the config, answers of the service, what is sent to the stand-in, and what check reads of it',
    owners: ['config/', 'sandbox/', 'account/option-schemas.ts', 'check/read/'],
  },
  pino: {
    reason: 'the log is made in one place and fed by allow-lists',
    owners: [
      ...[
        'serve/log.ts',
        'serve/log-output.ts',
        'serve/serve.ts',
        'serve/access-log.ts',

        'serve/reloading.ts',
      ],
      ...['serve/running-proxy.ts', 'serve/admin.ts'],
    ],
  },
}

/** Where sockets, disks and processes may be used. */
const builtins: Readonly<Record<string, Owned & { readonly names: RegExp }>> = {
  disks: {
    names: /^node:fs/,
    reason: 'files are read and written by few',
    owners: [
      'main.ts',
      'cli/machine.ts',
      'serve/machine.ts',
      'config/read-text-file.ts',
      'rehearsal/chromium.ts',
    ],
  },
  sockets: {
    names: /^node:(?:net|tls|dns|https|http2)/,
    reason: 'connections are opened and accepted by few',
    owners: [
      ...['serve/load-resolved.ts', 'serve/listener.ts'],
      ...['proxy/internals/', 'proxy/dial.ts', 'proxy/addresses.ts'],
      ...['proxy/settings.ts', 'probe/', 'api/transport-undici.ts', 'sandbox/', 'main.ts'],
    ],
  },
  processes: {
    names: /^node:child_process/,
    reason: 'processes are started by few',
    owners: ['cli/machine.ts', 'rehearsal/chromium.ts'],
  },
}

/** Parts of Node, undici and V8 that their documentation does not promise. */
const PRIVATE_GROUND =
  /\._[A-Za-z]\w*|\bgetOwnPropertySymbols\b|\bReflect\.apply\b|\bprototype\.\w+\.(?:call|apply|bind)\b|\bsetFlagsFromString\b|\bdestroySoon\b|\buseChunkedEncodingByDefault\b|\bundici\/lib\b|\bsocket\.(?:read|on|emit) = /g

describe('imports between folders', () => {
  it('finds the sources', () => {
    expect(sources.length).toBeGreaterThan(40)
    expect(sources.flatMap(({ imports }) => imports).filter(isOurs).length).toBeGreaterThan(60)
  })

  it('every folder has its row', () => {
    const present = sources.filter(({ path }) => path.split('/').length > 2).map(({ room }) => room)
    expect(Object.keys(folders).sort()).toEqual([...new Set(present)].sort())
  })

  it.each(Object.entries(folders))('%s', (room, { node, packages }) => {
    const isAllowed = (target: Import) => {
      if (isOurs(target)) return true
      if (isNode(target)) return node === 'any' || (node === 'type' && target.kind === 'type')
      return packages === undefined || packages.includes(packageOf(target))
    }
    const strays = sources
      .filter((file) => file.room === room)
      .flatMap(({ path, imports }) =>
        imports.filter((each) => !isAllowed(each)).map(({ specifier }) => `${path} imports ${specifier}`),
      )
    expect(strays).toEqual([])
  })

  it('the map says what each folder imports of the others', () => {
    const map = readFileSync(join(top, 'src/README.md'), 'utf8')
    const rows = [...map.matchAll(/^\| `([\w-]+)\/` \|.*\|([^|]*)\|$/gm)].map(([, room = '', last = '']) => {
      const named = [...last.matchAll(/`([^`/]+)(?:\/[^`]*)?`/g)].map(([, name = '']) => name)
      return [room, [...new Set(named)].sort()] as const
    })
    // The row of `cli` says that it imports everything.
    const narrow = [...below].filter(([room]) => room !== 'cli' && room in folders)
    expect(rows.filter(([room]) => room !== 'cli').sort()).toEqual(narrow.sort())
  })

  it('no folder imports itself through others', () => {
    expect(findCycles(below)).toEqual([])
  })

  it('no file imports itself through others, types included', () => {
    const imports = sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)] as const)
    expect(findCycles(new Map(imports))).toEqual([])
  })

  it.each(Object.entries(rules))('%s', (_reason, rule) => {
    const { files, within = [], allows = [], forbids = [], forbidsButTypes = [] } = rule
    const importers = sources.filter(({ path }) => isAt(path, files))
    const isStray = ({ target, kind }: Import) =>
      (isAt(target, within) && !isAt(target, allows)) ||
      isAt(target, forbids) ||
      (kind !== 'type' && isAt(target, forbidsButTypes))
    expect(straysAmong(importers, isStray)).toEqual([])
    const named = [...files, ...within, ...allows, ...forbids, ...forbidsButTypes]
    expect(named.filter((place) => !sources.some(({ path }) => isAt(path, [place])))).toEqual([])
    // What nobody imports need not be allowed.
    const isImported = (place: string) =>
      importers.some(({ imports }) => imports.some(({ target }) => isAt(target, [place])))
    expect(allows.filter((place) => !isImported(place))).toEqual([])
  })

  it('a folder in sandbox is below the files beside it', () => {
    const inner = sources.filter(({ path }) => /^src\/sandbox\/[^/]+\//.test(path))
    const isBeside = ({ target }: Import) => /^src\/sandbox\/[^/]+\.ts$/.test(target)
    expect(inner.length).toBeGreaterThan(0)
    expect(straysAmong(inner, isBeside)).toEqual([])
  })

  it('a front end does not know the others, nor the list of all', () => {
    const roomsOf = (path: string) => path.match(/^src\/front-ends\/([^/]+)\//)?.slice(1) ?? []
    const inRooms = sources.filter(({ path }) => roomsOf(path).length > 0)
    expect(new Set(inRooms.flatMap(({ path }) => roomsOf(path))).size).toBeGreaterThan(3)
    const strays = inRooms.flatMap((file) => {
      const [own = ''] = roomsOf(file.path)
      const isOther = ({ target }: Import) =>
        /^src\/front-ends\/(?:index|advisors)\.ts$/.test(target) ||
        roomsOf(target).some((room) => room !== own)
      return straysAmong([file], isOther)
    })
    expect(strays).toEqual([])
  })

  it('the command line loads a command only when it is asked for', () => {
    const commands = sources.filter(({ path }) => path === 'src/cli/commands.ts')
    expect(commands).toHaveLength(1)
    const isLoadedAtOnce = ({ kind, target }: Import) => kind === 'static' && target !== 'src/cli/command.ts'
    expect(straysAmong(commands, isLoadedAtOnce)).toEqual([])
  })

  it.each(Object.entries(packages))('only its owners use %s', (name, { owners }) => {
    expectOwners(owners, (target) => packageOf(target) === name)
  })

  it.each(Object.entries(builtins))('only some files use %s', (_, { names, owners }) => {
    expectOwners(owners, ({ target, kind }) => kind !== 'type' && names.test(target))
  })

  it('only main touches the process, and one file its limits and use', () => {
    // These three are not state of the process. Importing them would load all of it, standard input included.
    const strays = sources.filter(
      ({ path, text }) =>
        !['src/main.ts', 'src/serve/machine.ts'].includes(path) &&
        /(?<![\w.'`])process\.(?!nextTick|version\b|geteuid\b)[a-z]/.test(
          withoutTexts(withoutComments(text)),
        ),
    )
    expect(strays.map(({ path }) => path)).toEqual([])
  })

  it('private parts of Node, undici and V8 are used in one folder only', () => {
    const touched = sources.flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(PRIVATE_GROUND)].map(([part]) => `${path}: ${part}`),
    )
    const isInside = (place: string) => place.startsWith('src/proxy/internals/')
    expect(touched.filter((place) => !isInside(place))).toEqual([])
    expect(touched.filter(isInside).join()).toMatch(/\._header\b.*destroySoon/)
  })

  it('each file that uses private parts has its row in the README', () => {
    const readme = readFileSync(join(top, 'src/proxy/internals/README.md'), 'utf8')
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
    const named = new Set(rows.map((row) => row.match(/^\| `([\w.-]+)`/)?.[1]))
    const files = sources
      .filter(({ path }) => path.startsWith('src/proxy/internals/'))
      .map(({ path }) => path.split('/').at(-1))
    expect([...named].sort()).toEqual(files.sort())
    for (const row of rows) expect(row.split(' | ')).toHaveLength(4)
  })

  it('every package that is imported is installed with this one, for a reason, or brought by the user', async () => {
    const { dependencies } = (await import('../../package.json', { with: { type: 'json' } })).default
    const imported = new Set(
      sources.flatMap(({ imports }) =>
        imports.filter((target) => !isOurs(target) && !isNode(target)).map(packageOf),
      ),
    )
    expect([...imported].sort()).toEqual(Object.keys(dependencies).sort())
    expect(reasonsUnder('Runtime dependencies').sort()).toEqual([...imported].sort())
  })
})

/** Imports that break a rule. */
function straysAmong(files: readonly SourceFile[], isStray: (target: Import) => boolean): readonly string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter(isStray).map(({ specifier }) => `${path} imports ${specifier}`),
  )
}

/** Nobody else uses it, and each of the owners does. */
function expectOwners(owners: readonly string[], isUse: (target: Import) => boolean): void {
  const users = sources.filter(({ imports }) => imports.some(isUse)).map(({ path }) => path)
  expect(users.filter((path) => !isAt(path, owners))).toEqual([])
  expect(owners.filter((owner) => !users.some((path) => isAt(path, [owner])))).toEqual([])
}

/** The first cycle found from each node that leads into one. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
    if (done.has(node) || path.includes(node)) return
    for (const next of edges.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of edges.keys()) visit(node, [])
  return cycles
}

/** The packages of a list in CONTRIBUTING.md. */
function reasonsUnder(heading: string): string[] {
  const text = readFileSync(join(top, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = text.split(`## ${heading}\n`)
  const [list = ''] = section.split('\n#')
  return [...list.matchAll(/^- ([@\w/-]+): /gm)].map(([, name = '']) => name)
}

/** Without the contents of strings, which may show code. */
function withoutTexts(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'/g, "''")
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
