import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Import, readSources, type SourceFile, top } from './source-tree.ts'

const sources = readSources('src')

/** What each folder of `src` may import: other folders of ours, Node, packages. Its own files are always allowed. */
interface Folder {
  readonly reason: string
  readonly folders: readonly string[]
  /** `type`: only types of Node's. */
  readonly node?: 'any' | 'type'
  /** Absent: any that `owners` allows. */
  readonly packages?: readonly string[]
}

const folders: Readonly<Record<string, Folder>> = {
  text: { reason: 'a leaf: text for terminals, HTML and JSON, pure', folders: [], packages: [] },
  http: {
    reason: 'a leaf: vocabulary of the protocol, pure, good in any runtime',
    folders: [],
    packages: [],
  },
  site: {
    reason: 'what a browser derives from a host, by the public suffix list; pure',
    folders: ['http'],
    packages: ['tldts'],
  },
  config: {
    reason: 'untrusted JSON becomes a config, for everything above it',
    folders: ['http', 'site', 'text'],
    node: 'any',
  },
  scopes: {
    reason: 'exports of browsers are read as text; no file is opened here',
    folders: ['http', 'site'],
    packages: [],
  },
  points: {
    reason: 'points are pure: URLs and types of the config',
    folders: ['http', 'config'],
    packages: [],
  },
  forward: {
    reason: 'decisions are pure, without sockets and clocks: they run at the edge too',
    folders: ['http', 'text', 'config', 'points'],
    packages: [],
  },
  proxy: {
    reason: 'moves bytes by those decisions, and runs without checker, client, stand-in and command line',
    folders: ['forward', 'http', 'config', 'points'],
    node: 'any',
  },
  serve: {
    reason: 'the process around the proxy',
    folders: ['proxy', 'forward', 'http', 'config', 'points'],
    node: 'any',
  },
  edge: {
    reason: 'shares the decisions with the proxy, but no sockets',
    folders: ['forward', 'http', 'config', 'points'],
  },
  probe: { reason: 'asks the network, and does not judge', folders: ['http'], node: 'any', packages: [] },
  check: {
    reason: 'observes from outside: with code of the proxy it would share its bugs',
    folders: ['probe', 'http', 'site', 'scopes', 'config', 'points', 'text'],
    node: 'any',
  },
  monitor: {
    reason: 'reports what changed between checks; from serve it takes the metrics format alone',
    folders: ['check', 'probe', 'config', 'serve', 'text'],
    packages: [],
  },
  conformance: {
    reason: 'drives points from outside, with the connections of the probe, and judges for itself',
    folders: ['probe', 'http', 'points', 'text'],
    node: 'any',
    packages: [],
  },
  render: {
    reason: 'recipes are text made from a config and the law of fields; pure',
    folders: ['forward', 'http', 'config', 'points', 'text'],
    packages: [],
  },
  adopt: {
    reason: 'the config of a web server is read as text; pure',
    folders: ['http', 'config'],
    packages: [],
  },
  api: {
    reason: 'the client of the service, usable without the rest',
    folders: ['http', 'config'],
    node: 'any',
  },
  export: { reason: 'asks the client and writes a file', folders: ['api'], node: 'any', packages: [] },
  webhooks: {
    reason: 'a receiver of webhooks runs where there is no Node',
    folders: ['api', 'config'],
    node: 'type',
    packages: [],
  },
  sandbox: {
    reason: 'a stand-in that shared types with the client could not disagree with it',
    folders: ['http', 'site'],
    node: 'any',
    packages: ['hono', '@hono/node-server', 'valibot', '@valibot/to-json-schema'],
  },
  cli: {
    reason: 'ties everything together',
    folders: [
      ...['adopt', 'api', 'check', 'config', 'conformance', 'export', 'forward', 'http', 'monitor', 'points'],
      ...['probe', 'proxy', 'render', 'sandbox', 'scopes', 'serve', 'site', 'text'],
    ],
    node: 'any',
  },
}

/** Finer rules: single files that may or may not be imported. */
interface Rule {
  readonly reason: string
  readonly applies: (file: SourceFile) => boolean
  readonly allows: (target: Import) => boolean
}

const inFolder = (folder: string) => (file: SourceFile) => file.path.startsWith(`src/${folder}/`)
const roomOf = ({ target }: Import) => (target.startsWith('src/') ? (target.split('/')[1] ?? '') : '')
const isOurs = (target: Import) => target.specifier.startsWith('.')
const isNode = ({ target }: Import) => target.startsWith('node:')
const isFrom = (folder: string, files: RegExp) => (target: Import) =>
  roomOf(target) !== folder || files.test(target.target)
const packageOf = ({ target }: Import) => target.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? ''

const rules: readonly Rule[] = [
  {
    reason: 'points know the types of the config, not how it is read',
    applies: inFolder('points'),
    allows: isFrom('config', /config\/(config|secret|problem)\.ts$/),
  },
  {
    reason: 'the client and the receiver know secrets, not the config',
    applies: (file) => inFolder('api')(file) || inFolder('webhooks')(file),
    allows: isFrom('config', /config\/secret\.ts$/),
  },
  {
    reason: 'the receiver reads events with the schemas of the client, and sends nothing',
    applies: inFolder('webhooks'),
    allows: isFrom('api', /api\/(?:sessions|schema)\.ts$/),
  },
  {
    reason: 'recipes use the law of fields, not the decisions about a request',
    applies: inFolder('render'),
    allows: isFrom('forward', /forward\/field-law\.ts$/),
  },
  {
    reason: 'the config of a web server is text: nothing is loaded',
    applies: inFolder('adopt'),
    allows: ({ target }) => !/config\/load/.test(target),
  },
  {
    reason: 'a monitor uses the metrics format of serve, and what check found',
    applies: inFolder('monitor'),
    allows: (target) =>
      isFrom('serve', /serve\/exposition\.ts$/)(target) &&
      !/^src\/check\/(?:ask|read|rules|report)\//.test(target.target),
  },
  {
    reason: 'check/read interprets answers: it neither asks nor judges',
    applies: inFolder('check/read'),
    allows: ({ target }) => !/^src\/check\/(?!read\/)/.test(target),
  },
  {
    reason: 'check/ask gathers answers, and judges nothing',
    applies: inFolder('check/ask'),
    allows: ({ target }) => !/^src\/check\/(?:rules?\b|report\/|check|run-rules|obstacle)/.test(target),
  },
  {
    reason: 'a rule judges what was read: it asks nothing, and leaves skipping and blame to the engine',
    applies: inFolder('check/rules'),
    allows: (target) =>
      !/^src\/check\/(?:ask\/|report\/|check\.ts|run-rules|obstacle)/.test(target.target) &&
      (roomOf(target) !== 'probe' || target.kind === 'type'),
  },
  {
    reason: 'a folder inside a folder is below the files beside it',
    applies: ({ path }) => /^src\/(?:sandbox|conformance|proxy)\/[^/]+\//.test(path),
    allows: ({ target }) => !/^src\/(?:sandbox|conformance|proxy)\/[^/]+\.ts$/.test(target),
  },
  {
    reason: 'nothing in production imports the stand-in',
    applies: (file) => !['cli', 'sandbox'].includes(file.room),
    allows: (target) => roomOf(target) !== 'sandbox',
  },
  {
    reason: 'the command line loads a command only when it is asked for',
    applies: (file) => file.path === 'src/cli/commands.ts',
    allows: (target) => target.kind !== 'static' || target.target === 'src/cli/command.ts',
  },
]

const owners: readonly { readonly package: string; readonly reason: string; readonly owns: RegExp }[] = [
  {
    package: 'undici',
    reason: 'one concept knows how requests are sent',
    owns: /^src\/(?:proxy\/(?:upstream|connection|internals\/undici-client)\.ts|probe\/|api\/transport)/,
  },
  {
    package: 'hono',
    reason: 'only apps use Hono: the proxy, admin, the edge and the stand-in',
    owns: /^src\/(proxy\/app\.ts|serve\/admin\.ts|edge\/|sandbox\/)/,
  },
  {
    package: '@hono/node-server',
    reason:
      'it serves what programs mount, admin and the stand-in; it loads too much for the start of `serve`',
    owns: /^src\/(index\.ts|proxy\/app\.ts|serve\/admin\.ts|sandbox\/)/,
  },
  { package: 'tldts', reason: 'one file asks the public suffix list', owns: /^src\/site\// },
  {
    package: 'valibot',
    reason:
      'one vocabulary for untrusted JSON: the config, answers of the service, what is sent to the stand-in, and what check reads of it',
    owns: /^src\/(config\/|index\.ts|sandbox\/|api\/schema\.ts|check\/read\/stand-in-report\.ts)/,
  },
  {
    package: '@valibot/to-json-schema',
    reason: 'one file describes the stand-in, and is loaded when the description is requested',
    owns: /^src\/sandbox\/control\/openapi\.ts$/,
  },
  { package: 'jsonc-parser', reason: 'one place reads JSON with positions', owns: /^src\/config\// },
  { package: 'leven', reason: 'one place makes suggestions', owns: /^src\/config\/suggestion\.ts$/ },
  {
    package: 'playwright-core',
    reason: 'optional: one file drives a browser, and is loaded only for commands that need one',
    owns: /^src\/cli\/browse-cookies\.ts$/,
  },
  {
    package: 'pino',
    reason: 'the log is made in one place and fed by allow-lists',
    owns: /^src\/(cli\/(?:log|listeners|serve|replace-workers|monitor)|serve\/access-log)\.ts$/,
  },
]

/** Where sockets, disks and processes may be used. */
const io: readonly { readonly builtin: RegExp; readonly owns: RegExp }[] = [
  {
    builtin: /^node:fs/,
    owns: /^src\/(main|config\/read-text-file|cli\/schema|cli\/version|api\/(?:file-lock|own-file|agent-token-file-store)|export\/part-file)\.ts$/,
  },
  {
    builtin: /^node:(?:net|tls|dns|https|http2)/,
    owns: /^src\/(?:serve\/(?:find-certificate-problems|listener)\.ts|proxy\/(?:internals\/|dial\.ts|trusted-peers\.ts)|probe\/|api\/transport|config\/judge|sandbox\/)/,
  },
  {
    builtin: /^node:(?:child_process|cluster|worker_threads)/,
    owns: /^src\/serve\/(?:workers?|systemd)\.ts$/,
  },
]

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

  it.each(Object.entries(folders))('%s', (room, { folders: below, node, packages }) => {
    const isAllowed = (target: Import) => {
      if (isOurs(target)) return [room, ...below].includes(roomOf(target))
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

  it('no folder imports itself through others', () => {
    const below = new Map(Object.entries(folders).map(([name, folder]) => [name, folder.folders]))
    expect(findCycles(below)).toEqual([])
  })

  it('no file imports itself through others, types included', () => {
    const imports = sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)] as const)
    expect(findCycles(new Map(imports))).toEqual([])
  })

  it.each(rules)('$reason', ({ applies, allows }) => {
    const files = sources.filter(applies)
    expect(files.length).toBeGreaterThan(0)
    const strays = files.flatMap((file) =>
      file.imports
        .filter((target) => !allows(target))
        .map(({ specifier }) => `${file.path} imports ${specifier}`),
    )
    expect(strays).toEqual([])
  })

  it.each(owners)('$package: $reason', ({ package: name, owns }) => {
    const strays = sources.filter(
      ({ path, imports }) => !owns.test(path) && imports.some((target) => packageOf(target) === name),
    )
    expect(strays.map(({ path }) => path)).toEqual([])
  })

  it.each(io)('only some folders do I/O: $builtin', ({ builtin, owns }) => {
    const strays = sources.filter(
      ({ path, imports }) =>
        !owns.test(path) && imports.some(({ target, kind }) => kind !== 'type' && builtin.test(target)),
    )
    expect(strays.map(({ path }) => path)).toEqual([])
  })

  it('only main touches the process', () => {
    // These three are not state of the process. Importing them would load all of it, standard input included.
    const strays = sources.filter(
      ({ path, text }) =>
        path !== 'src/main.ts' &&
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
      .filter(({ path }) => path.startsWith('src/proxy/internals/') && !path.endsWith('/check-responses.ts'))
      .map(({ path }) => path.split('/').at(-1))
    expect([...named].sort()).toEqual(files.sort())
    for (const row of rows) expect(row.split(' | ')).toHaveLength(5)
  })

  it('every package that is imported has its reason: installed with this one, built in, or brought by the user', async () => {
    const { dependencies, devDependencies } = (await import('../../package.json', { with: { type: 'json' } }))
      .default
    const imported = new Set(
      sources.flatMap(({ imports }) =>
        imports.filter((target) => !isOurs(target) && !isNode(target)).map(packageOf),
      ),
    )
    // Optional: users who need a browser install it themselves, and are told so.
    imported.delete('playwright-core')
    const installed = [...imported].filter((name) => name in dependencies)
    const builtIn = [...imported].filter((name) => name in devDependencies)
    expect(installed.sort()).toEqual(Object.keys(dependencies).sort())
    expect([...installed, ...builtIn].sort()).toEqual([...imported].sort())
    expect(reasonsUnder('Installed with the package').sort()).toEqual(installed)
    expect(reasonsUnder('Built in').sort()).toEqual(builtIn.sort())
  })
})

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

/** The packages of a table in CONTRIBUTING.md. */
function reasonsUnder(heading: string): string[] {
  const text = readFileSync(join(top, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = text.split(`### ${heading}\n`)
  const [table = ''] = section.split('\n#')
  return [...table.matchAll(/^\| ([@\w/-]+) \| (?!why|---)/gm)].map(([, name = '']) => name)
}

/** Without the contents of strings, which may show code. */
function withoutTexts(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'/g, "''")
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
