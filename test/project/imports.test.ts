import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Import, readSources, type SourceFile, top } from './source-tree.ts'

const sources = readSources('src')

interface Rule {
  readonly reason: string
  readonly applies: (file: SourceFile) => boolean
  readonly allows: (target: Import, file: SourceFile) => boolean
}

const inFolder = (folder: string) => (file: SourceFile) => file.path.startsWith(folder)
const inRoom = (room: string) => (file: SourceFile) => file.room === room
const roomOf = ({ target }: Import) => (target.startsWith('src/') ? target.split('/')[1] : undefined)
const isOurs = (target: Import) => target.specifier.startsWith('.')
const isNode = ({ target }: Import) => target.startsWith('node:')
const only =
  (...rooms: string[]) =>
  (target: Import) =>
    rooms.includes(roomOf(target) ?? '')
const packageOf = ({ target }: Import) => target.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? ''

const rules: readonly Rule[] = [
  {
    reason: 'http is a leaf: vocabulary of the protocol, pure, good in any runtime',
    applies: inRoom('http'),
    allows: only('http'),
  },
  {
    reason: 'site is a leaf: what a browser puts together, from http words and the public suffix list',
    applies: inRoom('site'),
    allows: (target) => only('site', 'http')(target) || packageOf(target) === 'tldts',
  },
  {
    reason: 'points are pure: http words and config types',
    applies: inRoom('points'),
    allows: (target) =>
      only('points', 'http')(target) ||
      (only('config')(target) && /config\/(config|secret|problem)\.ts$/.test(target.target)),
  },
  {
    reason: 'what is decided is pure: no socket, no clock, good at the edge too',
    applies: inRoom('forward'),
    allows: (target) => only('forward', 'http', 'config', 'points')(target),
  },
  {
    reason: 'what moves octets knows decisions, and nothing of the process around it',
    applies: inRoom('proxy'),
    allows: (target) => !isOurs(target) || only('proxy', 'forward', 'http', 'config', 'points')(target),
  },
  {
    reason: 'what a process is stands above the proxy',
    applies: inRoom('serve'),
    allows: (target) =>
      !isOurs(target) || only('serve', 'proxy', 'forward', 'http', 'config', 'points')(target),
  },
  {
    reason: 'the edge shares decisions with the proxy, and none of its sockets',
    applies: inRoom('edge'),
    allows: (target) => !isOurs(target) || only('edge', 'forward', 'http', 'config', 'points')(target),
  },
  {
    reason: 'the proxy must run without the checker, the client, the stand-in and the command line',
    applies: inRoom('proxy'),
    allows: (target) => !only('check', 'api', 'sandbox', 'cli', 'site', 'serve')(target),
  },
  {
    reason: 'a checker that shares the proxy’s code agrees with its bugs: it observes from outside',
    applies: inRoom('check'),
    allows: (target) => !only('forward', 'proxy', 'serve', 'sandbox', 'cli')(target),
  },
  {
    reason: 'the probe asks, and knows nothing of what is made of the answers',
    applies: inRoom('probe'),
    allows: (target) => only('probe', 'http')(target) || isNode(target),
  },
  {
    reason: 'the cases drive points with the same probe, and judge for themselves',
    applies: inRoom('conformance'),
    allows: (target) =>
      !only('check', 'proxy', 'serve', 'sandbox', 'cli')(target) ||
      target.target === 'src/check/report/paint.ts',
  },
  {
    reason: 'reading interprets answers: it neither asks nor judges',
    applies: inFolder('src/check/read/'),
    allows: (target) => !/^src\/check\/(?:ask\/|rules?\b|report\/|[^/]+$)/.test(target.target),
  },
  {
    reason: 'asking gathers, with the help of reading, and judges nothing',
    applies: inFolder('src/check/ask/'),
    allows: (target) => !/^src\/check\/(?:rules?\b|report\/|check|run-rules|obstacle)/.test(target.target),
  },
  {
    reason:
      'a monitor tells what changed of what check found; of serve it has the words of the metrics alone',
    applies: inRoom('monitor'),
    allows: (target) =>
      (!isOurs(target) ||
        only('monitor', 'check', 'probe', 'config')(target) ||
        target.target === 'src/serve/exposition.ts') &&
      !/^src\/check\/(?:ask|read|rules|report)\//.test(target.target),
  },
  {
    reason: 'a rule judges what was read: it asks nobody and leaves skipping and blaming to the engine',
    applies: inFolder('src/check/rules/'),
    allows: (target) =>
      !/^src\/check\/(?:ask\/|report\/|check\.ts|run-rules|obstacle)/.test(target.target) &&
      (!only('probe')(target) || target.kind === 'type'),
  },
  {
    reason: 'a recipe is text made of a config and the law of fields: pure',
    applies: inRoom('render'),
    allows: (target) =>
      only('render', 'http', 'config', 'points')(target) || target.target === 'src/forward/field-law.ts',
  },
  {
    reason: 'a config of somebody else’s server is read as text, and nothing is looked up',
    applies: inRoom('adopt'),
    allows: (target) => only('adopt', 'http', 'config')(target) && !/config\/load/.test(target.target),
  },
  {
    reason: 'the client knows the service, not the rest of the program',
    applies: inRoom('api'),
    allows: (target) =>
      only('api', 'http')(target) ||
      isNode(target) ||
      ['undici', 'valibot'].includes(packageOf(target)) ||
      /config\/secret\.ts$/.test(target.target),
  },
  {
    reason: 'an export asks the client and writes; what it is asked for is for the command to say',
    applies: inRoom('export'),
    allows: (target) => only('export', 'api')(target) || isNode(target),
  },
  {
    reason: 'a receiver of webhooks runs where there is no Node, and sends nothing',
    applies: inRoom('webhooks'),
    allows: (target) =>
      only('webhooks')(target) ||
      /api\/(?:sessions|shape)\.ts$/.test(target.target) ||
      /config\/secret\.ts$/.test(target.target) ||
      (isNode(target) && target.kind === 'type'),
  },
  {
    reason: 'a stand-in that shares the client’s types can’t disagree with the client',
    applies: inRoom('sandbox'),
    allows: (target) =>
      only('sandbox', 'http', 'site')(target) ||
      isNode(target) ||
      ['hono', '@hono/node-server', 'valibot', '@valibot/to-json-schema'].includes(packageOf(target)),
  },
  {
    reason: 'nothing in production imports the stand-in',
    applies: (file) => !['cli', 'sandbox'].includes(file.room),
    allows: (target) => !only('sandbox')(target),
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
    reason: 'what is an app says so: the proxy, its listener, admin, the edge and the stand-in',
    owns: /^src\/(proxy\/app(-listener)?\.ts|serve\/admin\.ts|edge\/|sandbox\/)/,
  },
  {
    package: '@hono/node-server',
    reason: 'what is an app says so: the proxy, its listener, admin, the edge and the stand-in',
    owns: /^src\/(proxy\/app(-listener)?\.ts|serve\/admin\.ts|edge\/|sandbox\/)/,
  },
  { package: 'tldts', reason: 'one file asks the public suffix list', owns: /^src\/site\// },
  {
    package: 'valibot',
    reason:
      'one vocabulary for untrusted JSON: the config, answers of the service, what is sent to the stand-in, and what check reads of it',
    owns: /^src\/(config\/|index\.ts|sandbox\/|api\/shape\.ts|check\/read\/stand-in-report\.ts)/,
  },
  {
    package: '@valibot/to-json-schema',
    reason: 'one file describes the stand-in, and is loaded when somebody asks for the description',
    owns: /^src\/sandbox\/control\/to-json-schema\.ts$/,
  },
  { package: 'jsonc-parser', reason: 'one place reads JSON with positions', owns: /^src\/config\// },
  { package: 'leven', reason: 'one place makes suggestions', owns: /^src\/config\/suggestion\.ts$/ },
  {
    package: 'playwright-core',
    reason: 'optional: one file drives a browser, and is loaded when somebody asks for one',
    owns: /^src\/cli\/browse-cookies\.ts$/,
  },
  {
    package: 'pino',
    reason: 'the log is made in one place and fed by allow-lists',
    owns: /^src\/(cli\/(?:log|start-admin|serve|monitor)|serve\/access-log)\.ts$/,
  },
]

/** Where sockets, disks and processes of the outside world may be touched. */
const io: readonly { readonly builtin: RegExp; readonly owns: RegExp }[] = [
  {
    builtin: /^node:fs/,
    owns: /^src\/(main|index|config\/load|cli\/schema|cli\/version|api\/(?:file-lock|agent-token-file-store)|export\/part-file)\.ts$/,
  },
  {
    builtin: /^node:(?:net|tls|dns|https|http2)/,
    owns: /^src\/(?:serve\/(?:find-certificate-problems|server)\.ts|proxy\/(?:internals\/|dial\.ts|trusted-peers\.ts)|probe\/|api\/transport|config\/judge|sandbox\/)/,
  },
  { builtin: /^node:(?:child_process|cluster|worker_threads)/, owns: /^src\/serve\/workers?\.ts$/ },
]

/** Parts of Node, undici and V8 that their documentation does not promise. */
const PRIVATE_GROUND =
  /\._[A-Za-z]\w*|\bgetOwnPropertySymbols\b|\bReflect\.apply\b|\bprototype\.\w+\.(?:call|apply|bind)\b|\bsetFlagsFromString\b|\bdestroySoon\b|\buseChunkedEncodingByDefault\b|\bundici\/lib\b|\bsocket\.(?:read|on|emit) = /g

describe('who may import whom', () => {
  it('sees the tree', () => {
    expect(sources.length).toBeGreaterThan(40)
    expect(sources.flatMap(({ imports }) => imports).filter(isOurs).length).toBeGreaterThan(60)
  })

  it.each(rules)('$reason', ({ applies, allows }) => {
    const files = sources.filter(applies)
    expect(files.length).toBeGreaterThan(0)
    const strays = files.flatMap((file) =>
      file.imports
        .filter((target) => !allows(target, file))
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

  it.each(io)('IO stays at the edges: $builtin', ({ builtin, owns }) => {
    const strays = sources.filter(
      ({ path, imports }) =>
        !owns.test(path) && imports.some(({ target, kind }) => kind !== 'type' && builtin.test(target)),
    )
    expect(strays.map(({ path }) => path)).toEqual([])
  })

  it('only main touches the process', () => {
    const strays = sources.filter(
      ({ path, text }) =>
        path !== 'src/main.ts' && /(?<![\w.'`])process\.[a-z]/.test(withoutTexts(withoutComments(text))),
    )
    expect(strays.map(({ path }) => path)).toEqual([])
  })

  it('private parts of Node, undici and V8 are touched in one folder', () => {
    const touched = sources.flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(PRIVATE_GROUND)].map(([part]) => `${path}: ${part}`),
    )
    const isInside = (place: string) => place.startsWith('src/proxy/internals/')
    expect(touched.filter((place) => !isInside(place))).toEqual([])
    expect(touched.filter(isInside).join()).toMatch(/\._header\b.*destroySoon/)
  })

  it('each file on private ground has its row: what it rests on, buys, breaks, and what notices', () => {
    const readme = readFileSync(join(top, 'src/proxy/internals/README.md'), 'utf8')
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
    const named = new Set(rows.map((row) => row.match(/^\| `([\w.-]+)`/)?.[1]))
    const files = sources
      .filter(({ path }) => path.startsWith('src/proxy/internals/') && !path.endsWith('/check-responses.ts'))
      .map(({ path }) => path.split('/').at(-1))
    expect([...named].sort()).toEqual(files.sort())
    for (const row of rows) expect(row.split(' | ')).toHaveLength(5)
  })

  it('every package that is imported is a dependency of its own, or one that the user brings', async () => {
    const { dependencies } = (await import('../../package.json', { with: { type: 'json' } })).default
    // Nobody pays for it who does not browse: whoever does installs it, and hears so.
    const brought = 'playwright-core'
    const imported = new Set(
      sources.flatMap(({ imports }) =>
        imports.filter((target) => !isOurs(target) && !isNode(target)).map(packageOf),
      ),
    )
    expect([...imported].sort()).toEqual([...Object.keys(dependencies), brought].sort())
  })
})

/** A text that shows code is none. */
function withoutTexts(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'/g, "''")
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
