// What `npm run build` makes of src: the program and the library, each in few files, since finding and opening a module
// costs more than compiling it. tsc adds the library's declarations.
// Node's compile cache is not used: Node 20 has none, and by default it is in the temporary folder, where other users of
// the machine may have put code.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import packageJson from './package.json' with { type: 'json' }

/**
 * Only our own code is built in: what is installed beside it can be updated, is seen by audits, and stands in bills of
 * materials.
 */
const outside = Object.keys(packageJson.dependencies)

/**
 * What the program loads as it starts, and uses of it. Imported, CommonJS would be parsed twice, the second time slowly, to
 * find the names that it exports; that takes longer than loading it (tldts: 57 ms instead of 15). And an import of node:http
 * reads everything that it exports, WebSocket among it, for which Node 24 loads its fetch: 46 ms instead of 3.
 */
const REQUIRED = {
  'node:http': [
    'Agent',
    'createServer',
    'IncomingMessage',
    'OutgoingMessage',
    'request',
    'ServerResponse',
    'setMaxIdleHTTPParsers',
    'STATUS_CODES',
  ],
  pino: ['pino'],
  tldts: ['parse'],
}

const closures = new Map()

const onlyOurs = {
  name: 'only ours',
  load(id) {
    if (!id.startsWith('\0') && !id.startsWith(source(''))) this.error(`${id} would be built in`)
  },
}

await build({
  ...common((name) => !(name in REQUIRED)),
  plugins: [{ name: 'require', resolveId: toRequired, load: renderRequired }, onlyOurs],
  input: { main: 'src/main.ts' },
  output: {
    ...output('program'),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'by command', name: chunkOf }],
    },
  },
  preserveEntrySignatures: 'allow-extension',
})
// npm sets this as it installs the package, but not after a later build.
chmodSync('dist/main.js', 0o755)
await build({
  ...common(),
  plugins: [onlyOurs],
  input: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    hono: 'src/hono.ts',
    edge: 'src/edge.ts',
    'api/index': 'src/api/index.ts',
  },
  output: output('library'),
})

function common(isImported = () => true) {
  return {
    platform: 'node',
    transform: {
      define: { HOMEPAGE: JSON.stringify(packageJson.homepage?.replace(/\/$/, '')) ?? 'undefined' },
    },
    external: (name) =>
      isImported(name) &&
      (name.startsWith('node:') || outside.some((each) => name === each || name.startsWith(`${each}/`))),
  }
}

/** @param {string} folder of everything but the entries */
function output(folder) {
  return {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${folder}/[name].js`,
    comments: { jsdoc: false, annotation: true, legal: true },
  }
}

/**
 * `serve` and `check` are started most. Each finds what it needs in two or three files, without a module that it does
 * not need. Whatever only other commands load is divided by rolldown.
 */
function chunkOf(id, modules) {
  const reaches = (path) => closure(source(path), modules).has(id)
  // It awaits the commands, so they must not import the file that it is in.
  if (id === source('main.ts')) return null
  if (reaches('main.ts')) return 'start'
  if (reaches('cli/serve.ts')) return reaches('cli/check.ts') ? 'serve-and-check' : 'serve'
  return reaches('cli/check.ts') ? 'check' : null
}

function source(path) {
  return join(import.meta.dirname, 'src', path)
}

/** Everything that a module imports, not counting what is loaded when it is asked for. */
function closure(start, modules) {
  const known = closures.get(start)
  if (known !== undefined) return known
  const found = new Set([start])
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  closures.set(start, found)
  return found
}

function toRequired(name) {
  return name in REQUIRED ? `\0require:${name}` : undefined
}

function renderRequired(id) {
  const [, name] = /^\0require:(.*)$/.exec(id) ?? []
  if (name === undefined) return undefined
  return `import { createRequire } from 'node:module'
export const { ${REQUIRED[name].join(', ')} } = createRequire(import.meta.url)('${name}')`
}
