// What `npm run build` makes of src: the program and the library, each in few files, since finding and opening a module
// costs more than compiling it. tsc adds the library's declarations.
// Node's compile cache is not used: Node 20 has none, and by default it is in the temporary folder, where other users of
// the machine may have put code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import packageJson from './package.json' with { type: 'json' }

/**
 * Dependencies stay outside. What speaks HTTP is among them, so that `npm update` alone closes a hole in it, and valibot,
 * which is part of the library's types. Development dependencies that src imports are built in, with their licences.
 */
const outside = [...Object.keys(packageJson.dependencies), 'playwright-core']

const FURTHER_NOTICES = {
  tldts:
    '\nIt contains data of the Public Suffix List, under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/);\n' +
    'the list itself is at https://publicsuffix.org/list/public_suffix_list.dat.\n',
}

/** @type {Map<string, string>} the licence text of each package that is built in */
const licences = new Map()
const closures = new Map()

await build({
  ...common(),
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
await build({
  ...common(),
  input: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    hono: 'src/hono.ts',
    edge: 'src/edge.ts',
    'api/index': 'src/api/index.ts',
    'webhooks/index': 'src/webhooks/index.ts',
  },
  output: output('library'),
})

function common() {
  return {
    platform: 'node',
    external: (name) =>
      name.startsWith('node:') || outside.some((each) => name === each || name.startsWith(`${each}/`)),
    resolve: { mainFields: ['module', 'main'] },
    plugins: [{ name: 'licences', generateBundle: emitLicences }],
  }
}

/** @param {string} folder of everything but the entries */
function output(folder) {
  return {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${folder}/[name].js`,
    sourcemap: true,
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

function emitLicences(_options, bundle) {
  for (const { moduleIds = [] } of Object.values(bundle)) {
    for (const id of moduleIds) {
      const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? []
      if (name !== undefined) licences.set(name, readLicence(folder) + (FURTHER_NOTICES[name] ?? ''))
    }
  }
  const texts = [...licences].sort(([a], [b]) => (a < b ? -1 : 1))
  this.emitFile({
    type: 'asset',
    fileName: 'LICENCES.txt',
    source: texts.map(([name, text]) => `${name}\n\n${text.trim()}\n`).join(`\n${'-'.repeat(80)}\n\n`),
  })
}

function readLicence(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no licence file, so it can't be built in`)
  return readFileSync(join(folder, file), 'utf8')
}
