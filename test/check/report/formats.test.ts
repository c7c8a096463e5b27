import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { groupByCause } from '../../../src/check/causes.ts'
import type { Finding } from '../../../src/check/finding.ts'
import { FORMATS, render } from '../../../src/check/report/formats.ts'
import type { Report } from '../../../src/check/report/report.ts'
import { choosePaint, withColour, withoutColour } from '../../../src/text/paint.ts'
import { isInstalled } from '../../deploy/installed.ts'
import { type Given, prefix } from '../a-config.ts'
import { aFinding } from '../a-finding.ts'
import { accountReport, aReport, hostileConfig, reportAccount } from './a-report.ts'

const www = `https://www.example.com${prefix}`
const plain = `http://www.example.com${prefix}`
const good = aReport({ points: [www], pages: ['https://www.example.com/'], cookies: [{}] })
const bad = aReport({
  points: [plain, www.slice(0, -1)],
  pages: ['https://www.example.com/'],
  cookies: [{ path: '/shop' }],
  suppress: [{ rule: 'url/plain-http', reason: 'intranet' }],
})
const hostile = aReport(hostileConfig)
const foreign = aReport({
  points: [`https://www.example.net${prefix}`],
  pages: ['https://www.example.com/'],
  cookies: [{}],
})

interface SarifResult {
  readonly kind: string
  readonly level: string
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { uri: string }
        readonly region: { startLine: number }
      }
    },
  ]
}

describe.each(FORMATS)('%s', (format) => {
  const toText = (report: typeof good) => render(report, format, withoutColour)

  it('ends its last line', () => {
    expect(toText(good)).toMatch(/\n$/)
  })

  it('lets no control or bidirectional character through, no credentials and no query', () => {
    expect(toText(hostile)).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028\u2029\ufffe\uffff]|\p{Cs}/u,
    )
    expect(toText(hostile)).not.toContain('hunter2')
  })
})

describe('pretty', () => {
  it('says how many subjects of a variant it leaves out, and labels no cookies as names of a certificate', () => {
    const cookies = [...'abcdef'].map((name) => ({ name, path: 'shop' }))
    const text = render(aReport({ cookies: [...cookies, { path: 'cart' }] }), 'pretty', withoutColour)
    expect(text).toMatch(/cookie\/bad-path {2}at 7 places[\s\S]*\n {2}and 1 more\n/)
    const foreign = [{}, { name: 'other', domain: 'www.example.net' }]
    const parties = render(
      aReport({ pages: ['https://www.example.com/'], cookies: foreign }),
      'pretty',
      withoutColour,
    )
    expect(parties).toContain('cookie/mixed-parties')
    expect(parties).not.toContain('is for')
  })

  it('puts the worst first, the fix below, and the next step last', () => {
    const lines = render(bad, 'pretty', withoutColour).trimEnd().split('\n')
    expect(lines[0]).toBe('✖ error url/prefix  config.json:1:1')
    expect(lines).toContain(`  fix  Add https://www.example.com/shop${prefix} to "points"`)
    expect(lines.at(-1)).toBe(
      'Next: apply the fixes from the top and check again; continuation-point check --explain url/prefix tells more.',
    )
  })

  it('puts a location that does not fit beside its subject below it', () => {
    const hosts = ['a', 'b'].map((host) => `http://${host}.${'long.'.repeat(12)}example.com${prefix}`)
    const text = render(aReport({ points: hosts }), 'pretty', withoutColour, 80)
    for (const host of hosts) expect(text).toContain(`  ${host}\n    config.json:1:1\n`)
  })

  it('prints the points to have when something is missing, and only then', () => {
    expect(render(bad, 'pretty', withoutColour)).toContain(`    "https://www.example.com/shop${prefix}"`)
    expect(render(good, 'pretty', withoutColour)).not.toContain('Suggested')
  })

  it('claims no more than was judged', () => {
    expect(render(good, 'pretty', withoutColour)).toMatch(
      /^Not judged\n {2}– what points and pages answer[^\n]*\n\nCookies: 1 sent\nno findings; [^\n]*\nNext: to check the rest, leave out --offline\.\n$/,
    )
  })

  it('says so if there is nothing to do', () => {
    const whole = { ...good, result: { ...good.result, notJudged: [] } }
    expect(render(whole, 'pretty', withoutColour)).toMatch(/\nNext: nothing to do\.\n$/)
  })

  it('breaks lines between words at the width of the terminal, and nowhere else', () => {
    const whole = render(bad, 'pretty', withoutColour)
    const narrow = render(bad, 'pretty', withoutColour, 60)
    const words = (text: string) => text.split(/\s+/)
    expect(words(narrow)).toEqual(
      expect.arrayContaining(words(whole).filter((word) => word.startsWith('http'))),
    )
    expect(narrow.split('\n').length).toBeGreaterThan(whole.split('\n').length)
    for (const line of narrow.split('\n')) {
      if (line.length > 60) expect(line.trim().split(/ +/).length).toBeLessThan(4)
    }
    expect(Math.max(...whole.split('\n').map(({ length }) => length))).toBeGreaterThan(100)
  })

  it('has one block for one cause, with its points', () => {
    const points = ['a', 'b', 'c'].map((host) => `http://${host}.example.com${prefix}`)
    const report = aReport({ points: [...points, www], pages: points.map((url) => new URL(url).origin) })
    const text = render(report, 'pretty', withoutColour)
    expect(text.match(/ url\/plain-http /g)).toHaveLength(1)
    expect(text.match(/Cookies travel unencrypted/g)).toHaveLength(1)
    for (const point of points) expect(text).toContain(`  ${point}`)
    expect(text).toContain('at 3 places')
  })

  it('shows a note in one line beside something worse, and in full if it is alone', () => {
    const note: Given = { points: [www], pages: ['https://www.example.com/'], cookies: [{ httponly: false }] }
    const alone = render(aReport(note), 'pretty', withoutColour)
    expect(alone).toContain('● note cookie/none-httponly\n  cookies\n  No listed cookie is httpOnly')
    const beside = render(aReport({ ...note, points: [www.slice(0, -1)] }), 'pretty', withoutColour)
    expect(beside).toContain('● note cookie/none-httponly\n\n')
  })

  it('is the same with colour, apart from the codes: one colour for places, one for evidence, one for fixes', () => {
    for (const report of [bad, accountReport]) {
      const painted = render(report, 'pretty', withColour)
      expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(render(report, 'pretty', withoutColour))
      const lines = painted
        .split('\n')
        .filter((line) => /^ {2}(?:\u001b\[\d+m)?(?:https?:|[+−] |fix )/.test(line))
      for (const line of lines) {
        const [, code, kind = ''] = /^ {2}\u001b\[(\d+)m(\S+)/.exec(line) ?? []
        expect([kind, code]).toEqual([kind, { '+': '35', '−': '35', fix: '32' }[kind] ?? '36'])
      }
      expect(lines.length).toBeGreaterThan(2)
    }
  })

  it('links a rule to its help where the terminal can', () => {
    const paint = choosePaint({ env: { TERM_PROGRAM: 'WezTerm' }, stdoutIsTty: true })
    expect(render(bad, 'pretty', paint)).toMatch(
      /\u001b\]8;;file:\/\/\/\S+docs\/troubleshooting\.md#missing-cookies\u001b\\cookie\/never-sent\u001b\]8;;\u001b\\/,
    )
    for (const [env, stdoutIsTty] of [
      [{ TERM_PROGRAM: 'WezTerm', FORCE_COLOR: '1' }, false],
      [{ TERM: 'xterm' }, true],
      [{ VTE_VERSION: '7600', NO_COLOR: '1' }, true],
    ] as const) {
      expect(render(bad, 'pretty', choosePaint({ env, stdoutIsTty }))).not.toContain('\u001b]')
    }
  })
})

describe('one fault is one finding, with its consequences', () => {
  it.each([
    [
      'github',
      /^::error [^\n]*url\/cross-site.*page\/no-point https:.*, cookie\/never-sent sid[^\n]*\n::notice title=not judged::[^\n]*\n[^:]+: 3 errors/,
    ],
    [
      'pretty',
      /^✖ error url\/cross-site.*also fixes {2}page\/no-point https:.*also fixes {2}cookie\/never-sent sid/s,
    ],
    [
      'html',
      /<h1>One thing to fix \(3 errors\)<\/h1>.*<section class="cause error">.*<article.*Also fixed by this.*<article.*<article/s,
    ],
  ] as const)('in %s', (format, pattern) => {
    const text = render(foreign, format, withoutColour)
    expect(text).toMatch(pattern)
    expect(text).toContain('3 errors from one cause; ')
    expect(text.match(/Put it on the page/g)?.length).toBe(1)
  })
})

it.each([
  ['always', { NO_COLOR: '1' }, false, true],
  ['never', { FORCE_COLOR: '1' }, true, false],
  [undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [undefined, { NO_COLOR: '', FORCE_COLOR: '1' }, false, true],
  ['auto', { FORCE_COLOR: '0' }, true, false],
  [undefined, {}, true, true],
  [undefined, {}, false, false],
  [undefined, { TERM: 'dumb' }, true, false],
] as const)('colour flag %s, environment %j, terminal %s: %s', (flag, env, isTty, expected) => {
  expect(choosePaint({ env, stdoutIsTty: isTty }, flag) === withColour).toBe(expected)
})

describe('github', () => {
  it('has only workflow commands of its own, errors first', () => {
    const lines = render(hostile, 'github', withoutColour).trimEnd().split('\n')
    const kinds = lines.slice(0, -1).map((line) => /^::(error|warning|notice) /.exec(line)?.[1])
    expect(kinds.slice(0, -1)).toEqual([...kinds.slice(0, -1)].sort())
    expect(kinds).not.toContain(undefined)
    expect(lines.at(-1)).toMatch(/^continuation-point: /)
  })

  it('escapes what a command would read', () => {
    const text = render(aReport({ points: ['https://h/a%0Ab,c:d/'] }), 'github', withoutColour)
    expect(text).toContain('::error file=config.json,line=1,col=1,title=url/prefix::https://h/a%250Ab,c:d/: ')
  })
})

describe('sarif', () => {
  const log = JSON.parse(render(bad, 'sarif', withoutColour))
  const [run] = log.runs
  const resultsOf = (findings: readonly Finding[]): readonly SarifResult[] => {
    const report = { ...bad, result: { ...bad.result, findings } }
    return JSON.parse(render(report, 'sarif', withoutColour)).runs[0].results
  }

  it('is a 2.1.0 log with the help of every rule', () => {
    expect(log.version).toBe('2.1.0')
    expect(run.tool.driver).toMatchObject({ name: 'continuation-point', version: '1.2.3' })
    for (const rule of run.tool.driver.rules) {
      expect(rule).toMatchObject({
        id: expect.stringMatching(/^[a-z]+\/[a-z-]+$/),
        shortDescription: { text: expect.stringMatching(/\S/) },
        help: { text: expect.stringMatching(/\S/), markdown: expect.stringMatching(/\S/) },
      })
    }
    const levels = ['url/prefix', 'url/plain-http', 'cookie/none-httponly'].map(
      (id) => run.tool.driver.rules.find((rule: { id: string }) => rule.id === id).defaultConfiguration,
    )
    expect(levels).toEqual([{ level: 'error' }, { level: 'warning' }, { level: 'note' }])
  })

  it('has a result with rule, place and fingerprint for each failure', () => {
    expect(run.results.length).toBeGreaterThan(2)
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      expect(result).toMatchObject({ kind: 'fail', level: expect.stringMatching(/^(?:error|warning|note)$/) })
      expect(result.locations[0].physicalLocation).toEqual({
        artifactLocation: { uri: 'config.json' },
        region: { startLine: 1, startColumn: 1 },
      })
    }
    const prints = run.results.map((result: { partialFingerprints: Record<string, string> }) =>
      JSON.stringify(result.partialFingerprints),
    )
    expect(new Set(prints).size).toBe(prints.length)
    expect(render(bad, 'sarif', withoutColour)).toBe(render(bad, 'sarif', withoutColour))
  })

  it('gives a finding without a line a place in the config, and an inconclusive one no level', () => {
    const [failed] = bad.result.findings.filter(({ outcome }) => outcome === 'fail')
    if (failed === undefined) throw new Error('nothing failed')
    const placeless = [
      { ...failed, location: undefined },
      { ...failed, location: { file: 'command line', pointer: 'URL' } },
      { ...failed, outcome: 'inconclusive', location: undefined },
    ] as const
    const places = (findings: readonly Finding[]) =>
      resultsOf(findings).map(({ kind, level, locations: [{ physicalLocation: place }] }) => {
        return `${kind} ${level} ${place.artifactLocation.uri}:${place.region.startLine}`
      })
    const inConfig = 'fail error config.json:1'
    expect(places(placeless)).toEqual([inConfig, inConfig, 'open none config.json:1'])
    const named = { ...failed, location: { file: 'conf/points.json', line: 7, pointer: '/points/0' } }
    expect(places([placeless[0], named])[0]).toBe('fail error conf/points.json:1')
  })

  it('has the worst first, at its line and column', () => {
    const severities = ['info', 'error', 'warning'] as const
    const findings = severities.map((severity) =>
      aFinding({ severity, location: { file: 'c.json', line: 7, column: 3, pointer: '/points/0' } }),
    )
    const results = resultsOf(findings)
    expect(results.map(({ level }) => level)).toEqual(['error', 'warning', 'note'])
    expect(results[0]?.locations[0].physicalLocation.region).toEqual({ startLine: 7, startColumn: 3 })
  })

  it('keeps what is accepted, with its reason', () => {
    const accepted = run.results.filter((result: { suppressions?: unknown }) => result.suppressions)
    expect(accepted[0]).toMatchObject({
      ruleId: 'url/plain-http',
      suppressions: [{ kind: 'external', justification: 'intranet' }],
    })
  })
})

describe('prometheus', () => {
  it('counts findings by outcome and failures by rule', () => {
    const findings = [
      aFinding({ id: 'live/cors', outcome: 'fail', severity: 'error' }),
      aFinding({ id: 'live/cors', outcome: 'fail', severity: 'error' }),
      aFinding({ id: 'url/plain-http', outcome: 'fail', severity: 'warning' }),
      aFinding({ id: 'url/ip-host', outcome: 'fail', severity: 'warning', suppressed: { reason: 'ours' } }),
      aFinding({ id: 'live/dns', outcome: 'crashed' }),
    ]
    const report = { ...good, exitCode: 1, atMs: 1_500 }
    const text = render({ ...report, result: { ...good.result, findings } }, 'prometheus', withoutColour)
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'continuation_point_check_findings{outcome="error"} 2',
      'continuation_point_check_findings{outcome="warning"} 1',
      'continuation_point_check_findings{outcome="info"} 0',
      'continuation_point_check_findings{outcome="inconclusive"} 1',
      'continuation_point_check_findings{outcome="skipped"} 0',
      'continuation_point_check_findings{outcome="pass"} 0',
      'continuation_point_check_findings{outcome="suppressed"} 1',
      'continuation_point_check_failures{rule="live/cors",severity="error"} 2',
      'continuation_point_check_failures{rule="url/plain-http",severity="warning"} 1',
      'continuation_point_check_exit_code 1',
      'continuation_point_check_timestamp_seconds 1.5',
      '',
    ])
  })

  it('takes no label from a config', () => {
    const labels = [...render(hostile, 'prometheus', withoutColour).matchAll(/="([^"]*)"/g)]
    expect(labels.length).toBeGreaterThan(7)
    for (const [, label] of labels) expect(label).toMatch(/^[a-z]+(?:\/[a-z-]+)?$/)
  })

  it.runIf(isInstalled('promtool')).each([good, bad, hostile])('is what promtool accepts', (report) => {
    const input = render(report, 'prometheus', withoutColour)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })
})

it.each([
  [
    'pretty',
    '  fix  Set it (npx continuation-point settings apply does that), or ask\n       • nginx: <a>\n       • Caddy: b\n',
  ],
  ['html', '<dt>nginx</dt><dd><code>&lt;a&gt;</code></dd><dt>Caddy</dt><dd><code>b</code></dd>'],
  ['html', 'npx continuation-point settings apply'],
  ['json', '"fix":"Set it (continuation-point settings apply does that), or ask • nginx: <a> • Caddy: b"'],
] as const)('%s renders a fix with its command and the lines of front ends', (format, text) => {
  const fix = {
    what: 'Set it',
    command: 'settings apply',
    otherwise: 'ask',
    lines: [
      ['nginx', '<a>'],
      ['Caddy', 'b'],
    ],
  } as const
  const findings = [aFinding({ fix })]
  const result = { ...good.result, findings, causes: groupByCause(findings) }
  const report: Report = { ...good, program: 'npx continuation-point', result }
  expect(render(report, format, withoutColour)).toContain(text)
})

it.each([
  ['pretty', 'Cookies: 1 sent', 'Cookies: a browser would send 1'],
  ['html', '✔ sent', '✔ a browser would send it'],
  ['html', '<g class="good"><title>sid (', '<g class="unsure"><title>sid ('],
] as const)('%s says that cookies were sent only where points answered', (format, sent, unsent) => {
  const show = (mode: Report['mode'], findings = good.result.findings) =>
    render({ ...good, mode, result: { ...good.result, findings } }, format, withoutColour)
  const proven = aFinding({ id: 'live/cors', outcome: 'pass', proof: 'service' })
  expect(show('live', [proven])).toContain(sent)
  expect(show('live', [proven, aFinding({ id: 'live/set-cookie', outcome: 'inconclusive' })])).toContain(
    unsent,
  )
  expect(show('offline')).toContain(sent)
  expect(show('live')).toContain(unsent)
  expect(show('live')).not.toContain(sent)
})

// What an error concerns is nowhere shown as right.
it.each<[string, Report, string, RegExp]>([
  [
    'a point',
    accountReport,
    'Cookies: 1 sent, 1 of them only to failing points\n',
    /class="bad">point .*✖ failing<.*✖ sent only to failing points/s,
  ],
  [
    'the cookie itself',
    aReport({ points: [www], pages: ['https://www.example.com/'], cookies: [{}, {}] }),
    'Cookies: 2 sent, 1 of them only to failing points\n',
    /✖ sent only to failing points/,
  ],
])('a cookie with an error of %s is not shown as sent', (_what, report, line, cell) => {
  expect(render(report, 'pretty', withoutColour)).toContain(line)
  const html = render(report, 'html', withoutColour)
  expect(html).toMatch(cell)
  expect((html.match(/✔ sent/g)?.length ?? 0) + 1).toBe(Number(/(\d) sent/.exec(line)?.[1]))
})

it('says how many more a list has that is cut', () => {
  const cookies = Array.from({ length: 24 }, (_, at) => ({ name: `c${at}` }))
  const text = render(reportAccount([], cookies, ['account/scopes-differ']), 'pretty', withoutColour)
  expect(text).toMatch(/24 missing in the account/)
  expect(text).toMatch(/ c9 .*\n +and 14 more\n/)
})

it('keeps the file of every place at 80 columns', () => {
  const points = [1, 2].map((at) => `http://www.a-rather-long-name.example.com/shop/${at}${prefix}`)
  const report = aReport({ points, pages: ['http://www.a-rather-long-name.example.com/'], cookies: [] })
  const text = render(report, 'pretty', withoutColour, 80)
  expect(text.match(/:\d+:\d+$/gm)?.length).toBeGreaterThan(1)
  expect(text).not.toMatch(/[^n]:\d+:\d+$/m)
})

describe('html', () => {
  const text = render(hostile, 'html', withoutColour)

  it('has a box for each check, or for those that ended alike, failed ones first', () => {
    const boxes = [...text.matchAll(/<article [^>]*data-check="([^"]+)" data-outcome="(\w+)"/g)]
    const repeated = [...text.matchAll(/>(\d+) times</g)].map(([, times]) => Number(times) - 1)
    const shown = repeated.reduce((sum, times) => sum + times, boxes.length)
    expect(shown).toBe(hostile.result.findings.length)
    const outcomes = boxes.map(([, , outcome]) => outcome)
    expect(outcomes.indexOf('pass')).toBeGreaterThan(outcomes.indexOf('fail'))
    expect(text.match(/<article class="error"/g)?.length).toBe(
      hostile.result.findings.filter((f) => f.outcome === 'fail' && f.severity === 'error' && !f.suppressed)
        .length,
    )
  })

  it('shows every text as text, whatever it contains', () => {
    const odd = `<i>"'&`
    const oddRules = good.rules.map((rule) => ({
      ...rule,
      ...{ title: odd, why: odd, wrong: odd, right: odd, fix: odd },
      reference: { text: odd, url: `https://example.com/${odd}` },
    }))
    const texts = { message: odd, fix: odd, evidence: { sent: odd, arrived: odd } }
    const findings = (['fail', 'inconclusive', 'skipped'] as const).map((outcome) =>
      aFinding({ outcome, topic: outcome, subject: { point: odd }, ...texts }),
    )
    const cookie = { name: odd, domain: odd, path: odd, verdict: 'sent', sentTo: [odd] } as const
    const result = {
      ...good.result,
      findings,
      causes: groupByCause(findings),
      cookies: [cookie],
      notJudged: [{ what: odd, why: odd, next: odd }],
      suggestion: { urls: [odd], lost: [odd], partly: [] },
    }
    const written = render({ ...good, rules: oddRules, result }, 'html', withoutColour)
    expect(written.match(/&lt;i&gt;&quot;&#39;&amp;/g)?.length).toBeGreaterThan(3)
    expect(written).not.toContain('<i>')
  })

  it('has no script, no elements from outside and nothing to fetch', () => {
    const elements = new Set([...text.matchAll(/<([a-z]\w*)/gi)].map(([, name]) => name))
    for (const name of ['script', 'img', 'link', 'iframe', 'b']) expect(elements).not.toContain(name)
    const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
    expect(tags.filter((tag) => /\s(?:src|on\w+|style)\s*=/i.test(tag))).toEqual([])
    const hrefs = [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    for (const href of hrefs) expect(href).toMatch(/^https:\/\/[\w.-]+\//)
    expect(text).toContain("default-src 'none'")
    expect(text.match(/<style>/g)?.length).toBe(1)
  })

  it('has a line for each way to fix it', () => {
    expect(render(foreign, 'html', withoutColour)).toMatch(
      /<p class="fix">.+<\/p><p class="fix">or add the page that uses it to /,
    )
  })

  it('counts in its title what its summary counts', () => {
    for (const report of [good, bad, hostile, foreign]) {
      const html = render(report, 'html', withoutColour)
      const [, title = ''] = /<h1>(.*)<\/h1>/.exec(html) ?? []
      const [, counts = ''] = /<p class="counts">(.*?)<\/p>/.exec(html) ?? []
      const errors = /^(\d+) errors?/.exec(counts)?.[1]
      if (errors !== undefined) expect(title).toMatch(RegExp(`\\b${errors} errors\\b`))
      else expect(title).toMatch(/^(?:No errors|All checks passed|One warning|\d+ warnings)/)
    }
  })
})
