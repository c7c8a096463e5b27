import { describe, expect, it } from 'vitest'
import { rules } from '../../src/check/rules/index.ts'
import { fakeIo, runCommand } from './fake-io.ts'
import { checkAsJson } from './json-check.ts'

const www = 'https://www.example.com/service_cookie_transfer/'
const page = 'https://www.example.com/'
const config = `{
  "service": { "url": "https://cobrowse.example.net" },
  "widgetKey": "env:NOT_SET",
  "points": ["${www}"],
  "pages": ["${page}"],
  "cookies": [{ "name": "basket", "domain": "www.example.com", "path": "/shop", "httponly": true }]
}`

describe('exit code', () => {
  it.each([
    [[www, '--page', page], 0],
    [['http://www.example.com/service_cookie_transfer/'], 0],
    [['http://www.example.com/service_cookie_transfer/', '--fail-on', 'warning'], 1],
    [[www.slice(0, -1)], 1],
    [[www.slice(0, -1), '--fail-on', 'never'], 0],
    [[www.slice(0, -1), '--skip', 'url/prefix'], 0],
    [[www.slice(0, -1), '--only', 'url/invalid'], 0],
    [[www.slice(0, -1), '--only', 'url/invalid', '--only', 'live/dns'], 0],
    [[www.slice(0, -1), '--format', 'json'], 1],
    [['--config', 'points.json'], 1],
  ])('of %j is %i', async (words, code) => {
    expect((await check(words)).code).toBe(code)
  })
})

describe('another vendor’s path', () => {
  const acme = 'https://www.example.com/acme_cookie_transfer/'
  const files = {
    'acme.json': '{ "service": { "prefix": "/acme_cookie_transfer/" } }',
    'points.json': config,
  }

  it.each<[readonly string[], number, string]>([
    [[acme], 0, acme],
    [[acme, 'https://www.example.com/'], 0, acme],
    [['www.example.com', '--prefix', '/acme/'], 0, 'https://www.example.com/acme/'],
    [['www.example.com', '--config', 'acme.json'], 0, acme],
    [[acme, '--prefix', '/service_cookie_transfer/'], 1, acme],
    [[www, '--config', 'acme.json'], 1, www],
    [[acme, '--config', 'points.json'], 1, acme],
  ])('of %j exits with %i, and checks %s', async (words, code, point) => {
    const ran = await checkAsJson(['--offline', ...words], files)
    expect([ran.code, ran.stderr.includes('fault')]).toEqual([code, false])
    const points = ran.checks.flatMap(({ subject }) => ('point' in subject ? [subject.point] : []))
    expect([...new Set(points)]).toEqual([point])
  })

  it('may not be just any word', async () => {
    expect((await check([www, '--prefix', 'acme'])).stderr).toContain('--prefix')
  })

  it('is said in the report where the URL was that of a page', async () => {
    expect((await check(['www.example.com'])).stdout).toContain(
      `anything else at www.example.com: you named a page; only the point on its origin was checked, ${www}`,
    )
  })
})

describe('a usage error exits with 2, prints no report and says what to do', () => {
  it.each([
    [
      [],
      'there is no config.json here, and there is nothing to check: name a URL, or write a config with the command init',
    ],
    [
      ['--config', 'empty.json'],
      'there is nothing to check: empty.json has no points, pages or cookies; add some, or name a URL',
    ],
    [[www, '--only', 'url/plain-htp'], 'there is no rule "url/plain-htp", did you mean url/plain-http?'],
    [[www, '--skip', 'zzz'], 'there is no rule "zzz"; run check --explain for a list'],
    [[www, '--output', 'json=-'], '--output takes the path of a file, not -: use --format json'],
    [[www, '--output', 'html'], '--output takes FORMAT=PATH, not "html"'],
    [[www, '--output', 'jsn=x'], '--output has no format "jsn", did you mean json?'],
    [['--config', 'missing.json'], "missing.json: the config can't be read: it does not exist"],
    [[www, '--ca-file', 'nope.pem'], "--ca-file nope.pem can't be read: it does not exist"],
    [
      [www, '--ca-file', 'points.json'],
      '--ca-file points.json contains no readable certificate: it must be PEM',
    ],
    [[www, '--resolve', 'nonsense'], '--resolve "nonsense": it is neither HOST:IP nor HOST:PORT:IP'],
    [[www, '--only', 'live'], '--only live needs the network: omit --offline'],
    [[www, '--only', 'live/dns'], '--only live/dns needs the network: omit --offline'],
    [
      [www, '--only', 'live/dns', '--only', 'account/url-stale'],
      '--only live/dns and account/url-stale need the network: omit --offline',
    ],
    [[www, '--only', 'url/prefix', '--skip', 'url/prefix'], '--only and --skip leave no rule'],
  ])('%j: %s', async (words, message) => {
    const { code, stdout, stderr } = await check(words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it.each([
    ['live/', '--skip leaves only rules that need the network: omit --offline'],
    ['none', '--skip leaves no rule'],
  ])('every rule skipped but %s: %s', async (group, message) => {
    const skipped = rules.flatMap(({ id }) => (id.startsWith(group) ? [] : ['--skip', id]))
    const { code, stdout, stderr } = await check([www, ...skipped])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe('reports', () => {
  it('gives each finding its place in the config', async () => {
    const { stdout } = await check(['--config', 'points.json', '--format', 'github'])
    expect(stdout).toMatch(/^::error file=points\.json,line=6,col=15,title=cookie\/path-not-covered::/)
  })

  it('writes further ones to files', async () => {
    const words = [www, '--format', 'github', '--output', 'json=a.json', '--output', 'html=a.html']
    const { written } = await check(words)
    expect(Object.keys(written)).toEqual(['a.json', 'a.html'])
    expect(JSON.parse(written['a.json'] ?? '')).toMatchObject({ schemaVersion: 1, exitCode: 0 })
    expect(written['a.html']).toMatch(/^<!doctype html>/)
  })

  it('says that a file can’t be written, after the report', async () => {
    const outputs = ['json=read-only/a.json', 'json=ok.json', 'html=read-only/b.html']
    const words = outputs.flatMap((output) => ['--output', output])
    const { code, stdout, stderr, written } = await check([www, ...words])
    expect(code).toBe(2)
    expect(stdout).not.toBe('')
    expect(Object.keys(written)).toEqual(['ok.json'])
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      "continuation-point: --output read-only/a.json can't be written: its disk is read-only",
      "continuation-point: --output read-only/b.html can't be written: its disk is read-only",
    ])
  })

  it.each([
    [
      'says what a URL takes the place of',
      [www],
      { 'config.json': config },
      /^The URLs replace the points in config\.json/,
    ],
    ['says nothing where there is no config', [www], {}, /^$/],
    ['says nothing of a config that was named', [www, '--config', 'points.json'], {}, /^$/],
    ['says nothing where no URL is given', [], { 'config.json': config }, /^$/],
  ] as const)('%s', async (_what, words, files, stderr) => {
    expect((await check(words, {}, files)).stderr).toMatch(stderr)
  })

  it('colours when asked', async () => {
    expect((await check([www, '--color', 'always'])).stdout).toContain('\u001b[')
    expect((await check([www], { FORCE_COLOR: '1' })).stdout).toContain('\u001b[')
    expect((await check([www])).stdout).not.toContain('\u001b[')
  })
})

async function check(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
) {
  const files = { 'points.json': config, 'empty.json': '{}', ...more }
  const written: Record<string, string> = {}
  const io = {
    ...fakeIo(files, env),
    writeFile: async (path: string, text: string) => {
      if (path.startsWith('read-only/')) throw Object.assign(new Error('no'), { code: 'EROFS' })
      written[path] = text
    },
  }
  return { ...(await runCommand(['check', '--offline', ...words], io)), written }
}
