import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { parseArguments } from '../../src/cli/arguments.ts'
import { commands } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { fakeIo } from '../cli/fake-io.ts'
import {
  blocks,
  commandLines,
  documents,
  headingAnchors,
  links,
  textOf,
  tracked,
  withoutBlocks,
} from './documents.ts'
import { readSources, top } from './source-tree.ts'

describe('documents', () => {
  it('are there', () => {
    expect(documents.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'SECURITY.md', 'src/README.md']),
    )
    expect(commandLines.length).toBeGreaterThan(4)
  })

  it.each(commandLines.filter(({ words }) => words[0] === 'npm'))(
    '$path: $words is a script of the package',
    ({ words }) => {
      const [, verb = '', name = ''] = words.filter((word) => word !== '--silent')
      const builtin = ['ci', 'install', 'sbom', 'audit', 'pack']
      if (!builtin.includes(verb))
        expect(Object.keys(packageJson.scripts)).toContain(verb === 'run' ? name : verb)
    },
  )

  it.each(
    commandLines
      .map(({ path, words }) => ({ path, words: words[0] === 'npx' ? words.slice(1) : words }))
      .filter(({ words }) => words[0] === 'continuation-point'),
  )('$path: $words is a command with these flags', async ({ words }) => {
    const [, name, ...rest] = words
    const loaded = await commands.find((entry) => entry.name === name)?.load()
    if (name === undefined || loaded === undefined) return expect.unreachable(`there is no ${name}`)
    const given = rest.filter((word) => word !== '…')
    expect(parseArguments(name, given, loaded.command)).not.toHaveProperty('message')
  })

  it('name only existing flags in running text', async () => {
    const spans = documents
      .filter(({ path }) => path !== 'CHANGELOG.md')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/`(?:npx )?(?:continuation-point )?([a-z]+ [^`\n]*--[^`\n]*)`/g)].map(
          ([, span = '']) => [path, span] as const,
        ),
      )
    const faults: string[] = []
    let known = 0
    for (const [path, span] of spans) {
      const [name = '', ...words] = span.split(' ')
      const loaded = await commands.find((entry) => entry.name === name)?.load()
      if (loaded === undefined) continue
      const flags = words
        .filter((word) => word.startsWith('--'))
        .map((word) => word.slice(2).replace(/=.*/, ''))
      known += flags.length
      const strange = flags.filter((flag) => !Object.hasOwn(loaded.command.options, flag) && flag !== 'help')
      faults.push(...strange.map((flag) => `${path}: ${span}: --${flag}`))
    }
    expect(known).toBeGreaterThan(20)
    expect(faults).toEqual([])
  })

  it.each(blocks.filter(({ language }) => language === 'jsonc' || language === 'json'))(
    '$path: a config parses',
    ({ text }) => {
      expect(parseConfig(text, 'document')).toHaveProperty('config')
    },
  )

  it('link only to existing files and headings', () => {
    const anchors = new Map(documents.map(({ path, text }) => [path, headingAnchors(text)]))
    const broken = documents.flatMap(({ path, text }) =>
      links(text)
        .filter(({ file, anchor }) => {
          const target = file === '' ? path : normalize(join(dirname(path), file))
          if (!existsSync(join(top, target))) return true
          return anchor !== '' && anchors.get(target)?.has(anchor) !== true
        })
        .map(({ file, anchor }) => `${path} → ${file}#${anchor}`),
    )
    expect(broken).toEqual([])
  })

  it('the index of docs names every page there', () => {
    const named = new Set(links(textOf('docs/README.md')).map(({ file }) => `docs/${file}`))
    const pages = documents.map(({ path }) => path).filter((path) => /^docs\/(?!README)[^/]+\.md$/.test(path))
    expect(pages.length).toBeGreaterThan(10)
    expect(pages.filter((path) => !named.has(path))).toEqual([])
  })

  it('name the packed file and the image by the current version', () => {
    const named = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/continuation-point[-:](\d+\.\d+\.\d+)/g)].map(
        ([, version]) => `${path}: ${version}`,
      ),
    )
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((each) => !each.endsWith(`: ${packageJson.version}`))).toEqual([])
  })

  it('the map names every folder of src and nothing else', () => {
    const map = textOf('src/README.md')
    const rooms = new Set(readSources('src').map(({ room }) => room))
    const [folders = ''] = map.split('\n## ')
    const firstCells = [...folders.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
    const named = firstCells.flatMap((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '')),
    )
    expect(named.sort()).toEqual([...rooms].sort())
  })

  it.each(['One request', 'One cookie'])('the route of %s names existing files, each once', (route) => {
    const map = textOf('src/README.md')
    const [, section = ''] = map.split(`\n## ${route}`)
    const [text = ''] = section.split('\n## ')
    const named = [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(9)
    expect(named.filter((path) => !existsSync(join(top, 'src', `${path}.ts`)))).toEqual([])
    expect(named.filter((path, at) => named.indexOf(path) !== at)).toEqual([])
  })

  it('the README has at most 700 words beside its blocks', () => {
    const words = withoutBlocks(textOf('README.md'))
      .split(/\s+/)
      .filter((word) => word !== '')
    expect(words.length).toBeGreaterThan(300)
    expect(words.length).toBeLessThanOrEqual(700)
  })

  it('the finding in a document is what check prints for the config above it', async () => {
    const [, config = '', printed = ''] =
      /For this config\n\n```jsonc\n([\s\S]*?)```\n\n`check --offline` prints\n\n```text\n([\s\S]*?)```/.exec(
        textOf('docs/checking.md'),
      ) ?? []
    const io = fakeIo({ 'config.json': config })
    expect(await run(['check', '--offline'], io)).toBe(1)
    expect(io.written.stdout).toBe(printed)
  })

  it('speak of the project only', () => {
    const strays = tracked
      .filter(
        (path) => !/^(?:package-lock\.json|test\/project\/|$)/.test(path) && existsSync(join(top, path)),
      )
      .filter((path) =>
        /(?:^|[^A-Za-z0-9_.])\/(?:work|farm|root)\//.test(readFileSync(join(top, path), 'latin1')),
      )
    expect(strays).toEqual([])
  })
})
