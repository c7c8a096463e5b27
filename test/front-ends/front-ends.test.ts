import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FRONT_END_NAMES } from '../../src/config/schema.ts'
import { advisors, mounted } from '../../src/front-ends/advisors.ts'
import { frontEnds } from '../../src/front-ends/index.ts'
import { parseNameServers } from '../../src/front-ends/site.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { renderConfig, renderParts } from './support/rendered.ts'

const top = new URL('../../', import.meta.url)
const modes = ['route', 'forward'] as const
const rendered = frontEnds.flatMap(({ name }) =>
  modes.flatMap((mode) => legalConfigs.map(([what, config]) => ({ name, mode, what, config }))),
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

  it('names the file and its maker in its first comment', () => {
    expect(text).toMatch(/^# \S+, made by continuation-point render /)
  })
})

/** The file with what all points have in common, and how many lines of it are read. */
const shared = [
  ['nginx', 'snippets/continuation-point.conf', { route: 14, forward: 17 }],
  ['apache', 'continuation-point/point.conf', { route: 6, forward: 9 }],
  ['caddy', 'continuation-point/point.caddy', { route: 7, forward: 17 }],
  ['haproxy', 'continuation-point.cfg', { route: 12, forward: 26 }],
] as const

describe.each(shared)('%s', (name, path, most) => {
  it.each(modes)('has few lines for a point: %s', (mode) => {
    const given = {
      service: { url: 'https://service.example' },
      widgetKey: 'env:KEY',
      points: ['https://www.example.com/shop/service_cookie_transfer/'],
    }
    const part = renderParts(name, mode, given).find(({ file }) => file === path)
    const lines = part?.lines.filter((line) => /^\s*(?!<\/)[^\s#}]/.test(line)) ?? []
    expect(lines.length, lines.join('\n')).toBe(most[mode])
  })
})

describe('every front end', () => {
  it('has a folder of its name, and names of its own', () => {
    const entries = readdirSync(new URL('src/front-ends/', top), { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(folders.sort(), 'src/front-ends/index.ts lists every folder').toEqual(
      frontEnds.map(({ name }) => name).sort(),
    )
    expect(FRONT_END_NAMES, 'src/config/schema.ts has the order of src/front-ends/index.ts').toEqual([
      ...frontEnds.map(({ name }) => name),
      mounted.name,
    ])
    expect(new Set(frontEnds.map(({ title }) => title)).size).toBe(frontEnds.length)
    expect(new Set(advisors.map(({ title }) => title)).size).toBe(advisors.length)
  })

  it.each(advisors)('$title has a line of advice for each fault', (advisor) => {
    const { name: _name, title: _title, ...others } = advisor
    const { field: _field, errorPage: _page, limitsBy503: _limits, ...advice } = others
    const lines = Object.values(advice).map((line) => (typeof line === 'string' ? line : line('/a/', 'b')))
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect(line).toMatch(/^(?=\S)[^\n]{5,340}(?<=\S)$/)
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
