import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/check/report/formats.ts'
import { commands } from '../../src/cli/commands.ts'
import { fakeIo, runCommand, writableIo } from './fake-io.ts'

// Text of an attacker: of an account, a point, an export or a pull request that somebody else's CI checks.
const HOSTILE =
  '::stop-commands::x\n  ::add-mask::y\r::error::z ##[add-mask]y ##vso[task.setvariable variable=x]y \u001b]0;title\u0007\u001b[31m\u009b2J\u202e[text](https://evil.example) {0} "} <b>&\u2028::debug::'

const config = (text: string) =>
  JSON.stringify({
    service: { url: 'https://cobrowse.example.net' },
    widgetKey: 'KEY',
    points: ['https://www.example.com/service_cookie_transfer/', text],
    pages: ['https://www.example.com/', text],
    cookies: [
      { name: text, domain: 'www.example.com', path: '/' },
      { name: 'sid', domain: text, path: text },
    ],
    suppress: [{ rule: 'cookie/none-httponly', match: text, reason: text }],
  })

/** What the text could do at a terminal, or to the runner that reads the lines of a job. */
function expectHarmless(output: string): void {
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
  expect(output).not.toMatch(/^\s*::|##(?:vso)?\[/m)
}

describe('text from outside is only text', () => {
  it.each(FORMATS)('in reports: %s', async (format) => {
    const { stdout, stderr, code } = await runCommand(
      `check --offline --config c.json --format ${format}`,
      fakeIo({ 'c.json': config(HOSTILE) }),
    )
    expect(code).toBe(1)
    expectHarmless(stderr)
    // The rest of a line that begins with one of our own commands is its text.
    expectHarmless(format === 'github' ? stdout.replace(/^::(?:error|warning|notice) .*\n/gm, '') : stdout)
    if (format === 'html') expect(stdout).not.toContain('<b>')
    if (format === 'sarif') {
      const texts = JSON.parse(stdout).runs[0].results.map(
        ({ message }: { message: { text: string } }) => message.text,
      )
      expect(texts.join('\n')).toContain('{{0}}')
      expect(texts.join('\n')).not.toMatch(/\]\(|(?<!\{)\{0\}|\{0\}(?!\})/)
    }
  })

  it.each([
    ...commands.flatMap(({ name }) => [[], ['--config']].map((flag) => [name, ...flag, HOSTILE])),
    ...commands.map(({ name }) => [name, `--${HOSTILE}`]),
    ...commands.flatMap(({ name }) => (name === 'demo' ? [] : [[name, '--config', 'c.json', '--dry-run']])),
    [HOSTILE],
    ['check', 'https://www.example.com/', '--offline', '--only', HOSTILE],
    ['check', '--explain', HOSTILE],
    ['init', 'https://www.example.com/', '--from-cookies', HOSTILE],
    ['init', 'https://www.example.com/', '--from-cookies', 'export', '--output', '-'],
    ['init', '--from-cookies', 'tabs', '--output', '-'],
    ['init', '--front-end', 'node', '--output', HOSTILE],
    ['render', 'nginx', '--output', HOSTILE, '--config', 'ok.json'],
    ['render', 'nginx', '--output', '/d\u202e', '--config', 'ok.json'],
    ['init', 'https://www.example.com/', '--service', HOSTILE],
    ['settings', 'sheet', '--config', 'c.json'],
    ['settings', 'diff', '--config', 'c.json'],
    ['settings', 'restore', HOSTILE],
    ['render', 'nginx', '--config', 'c.json'],
    ['serve', '--test', '--config', 'c.json'],
  ])('in what a command says: %#', async (...words) => {
    const files = {
      'c.json': config(HOSTILE),
      'ok.json': `{ "service": { "url": "https://b.example" }, "widgetKey": "KEY", "points": ["https://a.example/service_cookie_transfer/"] }`,
      '/d\u202e/nginx.conf': '',
      export: `Set-Cookie: ${HOSTILE.replace(/[\r\n\u2028]/g, ' ')}=1; Domain=${HOSTILE.slice(0, 18)}; Max-Age=0\n`,
      tabs: `www.example.com\tFALSE\t/\u202e\tFALSE\t0\ts\u009b\tv\n`,
    }
    const { stdout, stderr } = await runCommand(words, writableIo(files))
    expect(`${stdout}${stderr}`).not.toBe('')
    expectHarmless(stderr)
    expectHarmless(stdout)
  })
})
