import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FRONT_END_NAMES } from '../../src/config/front-end-names.ts'
import { advisors, mounted } from '../../src/front-ends/advisors.ts'
import { frontEnds } from '../../src/front-ends/index.ts'
import { parseNameServers } from '../../src/front-ends/site.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { proofs } from './support/recipes-page.ts'
import { reasonAgainstConfig, renderConfig } from './support/rendered.ts'

const top = new URL('../../', import.meta.url)
const modes = ['route', 'forward'] as const
const rendered = frontEnds.flatMap(({ name, without }) =>
  modes
    .filter((mode) => without?.[mode] === undefined)
    .flatMap((mode) => legalConfigs.map(([what, config]) => ({ name, mode, what, config }))),
)

describe.each(rendered)('$name, $mode: $what', ({ name, mode, config }) => {
  const text = renderConfig(name, mode, {
    service: { url: 'https://service.example' },
    widgetKey: 'the-literal-key',
    apiKey: 'the-api-key',
    ...config,
  })

  it('shows no secret', () => {
    expect(text).not.toMatch(/the-literal-key|the-api-key/)
  })

  it('consists of whole lines, without control characters or trailing blanks', () => {
    expect(text.endsWith('\n')).toBe(true)
    expect(text).not.toMatch(/[^\S\n\t]\n|(?<!== )undefined|NaN|\[object/)
    expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u)
  })

  it('removes or sets X-Forwarded-Host and clears Forwarded, or wants a serve that believes neither', () => {
    const believing = { ...config, listen: { trustedProxies: ['loopback'] } }
    if (reasonAgainstConfig(name, believing)?.includes('set listen.trustedProxies to []')) return
    // serve finds the point, and its key, by X-Forwarded-Host of a trusted front end.
    const lines = text.split('\n').filter((line) => !/^\s*(?:#|--|\/\/)/.test(line))
    const message = 'remove it, or let reasonAgainst of the front end say: set listen.trustedProxies to []'
    expect(lines.join('\n'), message).toMatch(/x[-_]forwarded[-_]host/i)
    expect(lines.join('\n'), message).toMatch(/(?<!x[-_])\b(?:HTTP_)?forwarded\b/i)
  })

  it('names what it is for in its first comment', () => {
    const purpose = mode === 'route' ? /routes the continuation points/ : /forwards the widget.s calls/
    expect(text).toMatch(/^# (?:continuation-point|snippets)/.test(text) ? /made by/ : purpose)
  })
})

describe('every front end', () => {
  it('has a folder of its name, and names of its own', () => {
    const entries = readdirSync(new URL('src/front-ends/', top), { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(folders.sort(), 'src/front-ends/index.ts lists every folder').toEqual(
      frontEnds.map(({ name }) => name).sort(),
    )
    expect(FRONT_END_NAMES, 'src/config/front-end-names.ts has the order of src/front-ends/index.ts').toEqual(
      [...frontEnds.map(({ name }) => name), mounted.name],
    )
    expect(new Set(frontEnds.map(({ title }) => title)).size).toBe(frontEnds.length)
    expect(new Set(advisors.map(({ title }) => title)).size).toBe(advisors.length)
  })

  it('has a section that says how it is tested: by the conformance suite, or else how', () => {
    expect(Object.keys(proofs).sort(), 'proofs in support/recipes-page.ts have every front end').toEqual(
      frontEnds.map(({ name }) => name).sort(),
    )
    const recipes = readFileSync(new URL('deploy/recipes/README.md', top), 'utf8')
    const conformance = readFileSync(new URL('deploy/recipes/conformance.md', top), 'utf8')
    for (const { name, title } of frontEnds) {
      const { word, test } = proofs[name] ?? {}
      expect(recipes.includes(`\n## ${title}\n`), `npm run documents writes the section ${title}`).toBe(true)
      if (word === 'tested')
        expect(conformance.includes(`\n## ${name}\n`), `npm run matrix writes the section ${name}`).toBe(true)
      if (test === undefined)
        expect(recipes).toMatch(new RegExp(`\\| \`render ${name}\` \\|.*\\| ${word} \\|`))
      else expect(existsSync(new URL(test, top))).toBe(true)
    }
  })

  it('advises if it has an advisor', async () => {
    const files = frontEnds.map(({ name }) => new URL(`src/front-ends/${name}/advisor.ts`, top))
    const modules = await Promise.all(
      files.filter((file) => existsSync(file)).map((file) => import(file.href)),
    )
    expect([...modules.map(({ advisor }) => advisor), mounted]).toEqual(advisors)
  })

  it.each(advisors)('$title has a line of advice for each fault', (advisor) => {
    const { name: _name, title: _title, ...others } = advisor
    const { field: _field, errorPage: _page, limitsBy503: _limits, ...advice } = others
    const lines = Object.values(advice).map((line) => (typeof line === 'string' ? line : line('/a/', 'b')))
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect(line).toMatch(/^(?=\S)[^\n]{5,240}(?<=\S)$/)
  })

  it.each(frontEnds)('$name says what it is and what it can’t do', ({ output, gaps, without }) => {
    for (const sentence of [output, ...gaps]) expect(sentence).toMatch(/^[A-Z‘’A-Za-z].*\.$/)
    expect(Object.keys(without ?? {}).length).toBeLessThan(2)
  })
})

it.each([
  ['nameserver 192.0.2.53\n', ['192.0.2.53']],
  [
    '# nameserver 1.1.1.1\nsearch example\n nameserver  192.0.2.1 \nnameserver 2001:db8::53\n',
    ['192.0.2.1', '[2001:db8::53]'],
  ],
  ['nameserver fe80::1%eth0\nnameserver 192.0.2.2\n', ['192.0.2.2']],
  ['nameserver ; return 200\n', ['127.0.0.53']],
  ['', ['127.0.0.53']],
])('parseNameServers: %j: %j', (text, servers) => {
  expect(parseNameServers(text)).toEqual(servers)
})
