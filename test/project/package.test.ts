import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openFolder } from '../support/folder.ts'
import { isLeftToCi } from '../support/left-to-ci.ts'
import { npmEnv } from '../support/npm-env.ts'
import { listening, startProgram } from '../support/program.ts'
import { blocks, copyTracked } from './documents.ts'
import { top } from './source-tree.ts'

const lines = blocks
  .filter(({ path, language }) => path === 'README.md' && language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'))
  .filter((line) => /^npm (?:pack|install)\b/.test(line))
const entries = Object.keys(packageJson.exports).filter((name) => !name.endsWith('.json'))

describe.skipIf(isLeftToCi)('the package, packed and installed as the README says', () => {
  const home = openFolder()
  let packed: ReturnType<typeof makePackingClone>

  beforeAll(async () => {
    packed = makePackingClone(home)
    expect(lines).toEqual(['npm pack', expect.stringMatching(/^npm install --global \.\/continuation-point/)])
    for (const line of lines) expect(await packed.run(line)).not.toContain('npm warn')
  }, 300_000)

  it.each([
    ['--version', [], packageJson.version],
    ['check --offline', ['--config', 'config.example.json'], 'no findings'],
    ['serve --test', ['--config', 'test.json'], 'ok'],
    ['check --explain', [], 'live/cors'],
    ['render nginx', ['--config', 'test.json', '--upstream', '127.0.0.1:8080'], 'proxy_pass'],
  ])('runs %s', (words, more, printed) => {
    writeFileSync(join(packed.package, 'test.json'), JSON.stringify(CONFIG))
    const { status, stdout, stderr } = spawnSync(packed.command, [...words.split(' '), ...more], {
      cwd: packed.package,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    expect(stdout).toContain(printed)
  })

  it('serves, with the log of pino', async () => {
    const config = join(packed.package, 'serve.json')
    writeFileSync(config, JSON.stringify(CONFIG))
    const program = startProgram(['serve', '--config', config], {
      script: join(packed.package, 'dist/main.js'),
    })
    const { origin } = await listening(program)
    expect((await fetch(origin)).status).toBe(421)
    program.signal('SIGTERM')
    expect(await program.ended(), program.stderr()).toBe(0)
    expect(program.stdout()).toMatch(/"level":"info","time":"[^"]+"/)
  })

  it('depends on every package that its code loads, and on no other', () => {
    const loaded = new Set(scriptsOf(packed.package).flatMap(packagesIn))
    expect([...loaded].sort()).toEqual(Object.keys(packageJson.dependencies).sort())
  })

  it('is installed with the packages that bills of materials list', () => {
    const installed = installedIn(packed.package).sort()
    expect(installed).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)))
    // Of a project that has installed it.
    const project = join(packed.package, '../..')
    const dependencies = { [packageJson.name]: packageJson.version }
    const manifest = { name: 'site', version: '1.0.0', dependencies }
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
    const words = ['sbom', '--omit=dev', '--sbom-format=cyclonedx']
    const listed = componentsOf(execFileSync('npm', words, { cwd: project, env: npmEnv(), encoding: 'utf8' }))
    expect(listed).toEqual([...installed, packageJson.name].sort())
    // Of this checkout, and so of an image that is built from it.
    const printed = execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: top,
      env: npmEnv(),
      encoding: 'utf8',
    })
    expect(componentsOf(printed)).toEqual(installed)
    expect(readFileSync(join(top, 'SECURITY.md'), 'utf8')).toContain(
      `An installation has ${installed.length + 1} packages, this one included`,
    )
  })

  it('holds readable code in place of source maps, which would be three fifths of it', () => {
    const files = readdirSync(join(packed.package, 'dist'), { recursive: true }).map(String)
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([])
    const text = readFileSync(join(packed.package, 'dist/edge.js'), 'utf8')
    expect(text.split('\n').length).toBeGreaterThan(100)
    expect(text).not.toContain('sourceMappingURL')
  })

  it.each(entries)('is imported as %s', (entry) => {
    const name = join('continuation-point', entry)
    const script = `const all = await import('${name}'); console.log(Object.keys(all).length > 0)`
    expect(run(process.execPath, ['--input-type=module', '-e', script])).toBe('true\n')
  })

  it('is built into a server by a bundler that prefers CommonJS, as they do for Node', async () => {
    const input = join(consumer(), 'server.js')
    writeFileSync(input, `import { createApp } from 'continuation-point'; console.log(typeof createApp)`)
    const server = await rolldown({ input, platform: 'node', logLevel: 'silent' })
    const file = join(consumer(), 'bundled.js')
    await server.write({ file, format: 'es', codeSplitting: false })
    await server.close()
    expect(run(process.execPath, [file])).toBe('function\n')
  }, 60_000)

  it('loads nothing of Node, and no connection, for the edge', () => {
    expect(importsOf(join(packed.package, 'dist/edge.js')).sort()).toEqual(['hono', 'valibot'])
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'has types that need no further package, with module %s and resolution %s',
    (module, resolution) => {
      const file = join(consumer(), `${module}.ts`)
      const lines = entries.map(
        (entry, at) => `export * as e${at} from '${join('continuation-point', entry)}'`,
      )
      writeFileSync(file, lines.join('\n'))
      const tsc = join(top, 'node_modules/typescript/bin/tsc')
      const flags = `--noEmit --strict --target es2023 --lib es2023,dom,dom.iterable --types node`.split(' ')
      const words = [tsc, ...flags, '--module', module, '--moduleResolution', resolution, file]
      const { stdout } = spawnSync(process.execPath, words, { cwd: consumer(), encoding: 'utf8' })
      // Without skipLibCheck there are errors in other packages' types; ours must have none.
      const ours = stdout
        .split('\n')
        .filter((line) => /(?:nodenext|esnext)\.ts|continuation-point\/dist/.test(line))
      expect(ours).toEqual([])
    },
    120_000,
  )

  /** A project that has installed the package. */
  function consumer(): string {
    const folder = join(dirname(packed.clone), 'consumer')
    const modules = join(folder, 'node_modules')
    mkdirSync(modules, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [name, target] of [
      ['continuation-point', packed.package],
      ['@types', join(top, 'node_modules/@types')],
    ] as const) {
      if (!readdirSync(modules).includes(name)) symlinkSync(target, join(modules, name))
    }
    return folder
  }

  function run(file: string, words: readonly string[]): string {
    return execFileSync(file, words, { cwd: consumer(), encoding: 'utf8' })
  }
})

/** A clone whose packages are those of this one; nothing is packed or installed yet. */
function makePackingClone(home: string) {
  const clone = join(home, 'clone')
  copyTracked(clone, /^(?:test|bench|\.ci)\//)
  symlinkSync(join(top, 'node_modules'), join(clone, 'node_modules'))
  const prefix = join(home, 'global')
  const env = { ...npmEnv(), npm_config_prefix: prefix, npm_config_fund: 'false' }
  return {
    /** A copy of the working tree, in which lines of the README are run. */
    clone,
    /** Where the package and its command are installed. */
    package: join(prefix, 'lib/node_modules/continuation-point'),
    command: join(prefix, 'bin/continuation-point'),
    /** Runs a line in a shell in the clone; `npm install --global` goes to a folder of its own. */
    run: (line: string) =>
      new Promise<string>((resolve, reject) => {
        execFile('/bin/sh', ['-c', line], { cwd: clone, env }, (error, stdout, stderr) =>
          error === null ? resolve(stdout + stderr) : reject(new Error(`${line}\n${stdout}${stderr}`)),
        )
      }),
  }
}

/** The names in a bill of materials. */
function componentsOf(bill: string): string[] {
  const { components } = JSON.parse(bill) as { readonly components: readonly Component[] }
  return components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)).sort()
}

interface Component {
  readonly group?: string
  readonly name: string
}

/** The packages in the node_modules of a folder. */
function installedIn(folder: string): string[] {
  return readdirSync(join(folder, 'node_modules'), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap(({ name, parentPath }) =>
      name.startsWith('@') ? readdirSync(join(parentPath, name)).map((each) => `${name}/${each}`) : [name],
    )
}

function scriptsOf(folder: string): string[] {
  return readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => join(folder, 'dist', path))
}

/** The packages that a script of the bundle imports, loads later or requires. */
function packagesIn(path: string): string[] {
  const code = readFileSync(path, 'utf8')
  const loads =
    /^(?:import|export) (?:.* from )?"([^"]+)";$|(?:\bimport|[rR]equire(?:\$\d+)?|createRequire\(import\.meta\.url\))\("([^"]+)"\)/gm
  return [...code.matchAll(loads)]
    .map(([, imported, required]) => imported ?? required ?? '')
    .filter((name) => !/^(?:node:|\.)/.test(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
}

/** The packages and modules of Node that a file of the package loads, with everything that it imports. */
function importsOf(start: string): string[] {
  const files = new Set([start])
  const others = new Set<string>()
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?:.* from )?"([^"]+)";$/gm,
    )) {
      if (name.startsWith('.')) files.add(join(dirname(file), name))
      else others.add(name)
    }
  }
  return [...others]
}

const CONFIG = {
  service: { url: 'http://localhost:9' },
  widgetKey: 'key',
  points: ['http://www.example.com/service_cookie_transfer/'],
  listen: { port: 0 },
  admin: null,
}
