import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/company.ts'
import { openFolder } from '../support/folder.ts'
import { type FrontEnd, startFrontEnd } from '../support/front-ends/front-end.ts'
import { isLeftToCi } from '../support/left-to-ci.ts'
import { npmEnv } from '../support/npm-env.ts'
import { copyTracked, everyBlock } from './documents.ts'
import { top } from './source-tree.ts'

/* What runs in the pipelines of others and in ours: each shell line of it, as a runner would run it. */

interface Step {
  readonly id?: string
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}

const read = (path: string) => parse(readFileSync(join(top, path), 'utf8'))
const action = read('action.yml')
const job = read('deploy/ci/gitlab.yml')['continuation-point']
const workflows: readonly (readonly [string, Workflow])[] = readdirSync(join(top, '.github/workflows')).map(
  (name) => [name, read(`.github/workflows/${name}`)],
)

describe.skipIf(isLeftToCi)('a check in a pipeline', () => {
  const home = openFolder()
  const clone = join(home, 'clone')
  /** The temporary folder of one job, in which the action is used several times. */
  const runner = mkdtempSync(join(home, 'runner-'))
  let sandbox: Sandbox
  let frontEnd: FrontEnd
  let archive: string

  beforeAll(async () => {
    copyTracked(clone, /^(?:test|bench|docs)\//)
    sandbox = await startSandbox({ rateLimit: 'off' })
    frontEnd = await startFrontEnd(sandbox.url, {})
    const points = [`${frontEnd.origin}/service_cookie_transfer/`]
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: points }))
    const config = { service: { url: sandbox.url }, widgetKey: 'env:WIDGET_KEY', points }
    const wrong = { ...config, points: [`${frontEnd.origin}/service_cookie_transfer`] }
    for (const [name, text] of [
      ['right', JSON.stringify(config)],
      ['wrong', JSON.stringify(wrong)],
      ['invalid', '{'],
    ] as const)
      writeFileSync(join(home, `${name}.json`), text)
    // npm unpacks nothing, and does the rest, the build included: test/deploy/container.test.ts installs everything.
    mkdirSync(join(clone, 'node_modules'))
    for (const name of readdirSync(join(top, 'node_modules')))
      symlinkSync(join(top, 'node_modules', name), join(clone, 'node_modules', name))
    for (const step of stepsBefore('check')) {
      const env = { GITHUB_ACTION_PATH: clone, npm_config_dry_run: 'true' }
      const { code, output } = await runIn(home, step, env)
      expect(code, output).toBe(0)
    }
    // The action has built it already.
    const packed = await runIn(clone, 'npm pack --silent --ignore-scripts --pack-destination ..', {})
    archive = join(home, packed.output.trim().split('\n').at(-1) ?? '')
  }, 600_000)
  afterAll(() => Promise.all([frontEnd.close(), sandbox.close()]))

  it.each([
    ['right', 0],
    ['wrong', 1],
    ['invalid', 2],
  ])('the action, with a config that is %s, ends with %i', { timeout: 120_000 }, async (name, expected) => {
    const inputs = { config: `${name}.json` }
    const outputs = join(home, `${name}-outputs`)
    const files = { GITHUB_ACTION_PATH: clone, GITHUB_OUTPUT: outputs, WIDGET_KEY: 'demo-widget-key' }
    const [check, result] = action.runs.steps.filter(
      ({ id, run, uses }: Step) => uses === undefined && (id === 'check' || run?.startsWith('exit')),
    )
    const checked = await runStep(home, check, files, (expression) =>
      expression === 'runner.temp' ? runner : inputOf(expression, inputs),
    )
    expect(checked.code, checked.output).toBe(0)
    const given = Object.fromEntries(
      readFileSync(outputs, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
    expect(given['exit-code']).toBe(String(expected))
    const ended = await runStep(home, result, {}, () => given['exit-code'] ?? '')
    expect(ended.code).toBe(expected)
    if (expected === 2) return expect(given.report).toBeUndefined()
    const report = (kind: string) => readFileSync(join(given.report ?? '', `check.${kind}`), 'utf8')
    const [run] = JSON.parse(report('sarif')).runs
    expect(run.results.length > 0).toBe(expected === 1)
    expect(JSON.parse(report('json')).exitCode).toBe(expected)
    expect(report('html')).toMatch(/^<!doctype html>/i)
    expect(/^::error /m.test(checked.output)).toBe(expected === 1)
  })

  const several = '--offline\n  --skip url/plain-http\n\n--page https://other.example/\n'

  it.each([
    ['right', 0, ''],
    ['wrong', 1, several],
  ])(
    'the job of GitLab, with a config that is %s, ends with %i, and takes arguments on several lines',
    { timeout: 120_000 },
    async (name, expected, CHECK_ARGUMENTS) => {
      const folder = mkdtempSync(join(home, 'gitlab-'))
      cpSync(join(home, `${name}.json`), join(folder, job.variables.CHECK_CONFIG))
      const { code, output } = await runIn(folder, job.script.join('\n'), {
        ...job.variables,
        ...{ CHECK_PACKAGE: archive, CHECK_ARGUMENTS, WIDGET_KEY: 'demo-widget-key' },
      })
      expect(code, output).toBe(expected)
      for (const path of job.artifacts.paths) expect(existsSync(join(folder, path))).toBe(true)
      const report = readFileSync(join(folder, 'continuation-point-report/check.json'), 'utf8')
      if (CHECK_ARGUMENTS !== '') expectSeveral(report)
    },
  )

  /** What follows from each of several arguments. */
  function expectSeveral(json: string): void {
    const { mode, checks } = JSON.parse(json)
    expect(mode).toBe('offline')
    expect(checks.map(({ id }: { id: string }) => id)).not.toContain('url/plain-http')
    expect(json).toContain('https://other.example/')
  }

  it('the action has the inputs that the document gives it, at a version with its tag', () => {
    const block = everyBlock.find(({ path, text }) => path === 'docs/checking.md' && text.startsWith('on:'))
    const steps: readonly (Step & { readonly with?: object })[] = parse(block?.text ?? '').jobs.points.steps
    const [own] = steps.filter(({ uses }) => uses?.startsWith('OWNER/'))
    expect(own?.uses).toBe(`OWNER/continuation-point@v${packageJson.version}`)
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(own?.with ?? {})))
  })

  it('the job of GitLab asks for the package, which no registry needs to have', async () => {
    const { code, output } = await runIn(home, job.script.join('\n'), job.variables)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/CHECK_PACKAGE is empty; set it to .+\.tgz.+\n$/),
    ])
  })
})

describe('the workflows of this repository', () => {
  it.each(workflows)('%s may only read, but for the job that releases', (name, { permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' })
    const more = Object.entries(jobs).filter(([, each]) => 'permissions' in each)
    expect(more.map(([job]) => job)).toEqual(name === 'release.yml' ? ['release'] : [])
  })

  it.each(workflows)(
    '%s has shell lines that a shell can parse, and actions pinned to a commit',
    (_, { jobs }) => {
      const steps = [...Object.values(jobs).flatMap((each) => each.steps), ...action.runs.steps]
      expect(steps.length).toBeGreaterThan(3)
      for (const { run, uses } of steps) {
        if (run === undefined) expect(uses).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/)
        else expect(spawnSync('bash', ['-n', '-c', run]).status, run).toBe(0)
      }
    },
  )

  it.each([
    [`v${packageJson.version}`, 0],
    ['v99.0.0', 1],
  ])('release the tag %s: %i', async (tag, code) => {
    const [, release] = workflows.find(([name]) => name === 'release.yml') ?? []
    const steps = release?.jobs.release?.steps ?? []
    const line = steps.find(({ run }) => run?.includes('GITHUB_REF_NAME'))?.run ?? ''
    expect((await runIn(top, line, { GITHUB_REF_NAME: tag })).code).toBe(code)
    const order = steps.map(({ run = '', uses = '' }) => `${run}${uses}`)
    const at = (words: string) => order.findIndex((each) => each.includes(words))
    const places = [line, 'release:check', 'attest-build-provenance', 'attest-sbom', 'gh release'].map(at)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(-1)
  })
})

/** The shell lines before a step. */
function stepsBefore(id: string): readonly string[] {
  const steps: readonly Step[] = action.runs.steps
  return steps
    .slice(
      0,
      steps.findIndex((step) => step.id === id),
    )
    .flatMap(({ run }) => run ?? [])
}

function inputOf(expression: string, inputs: Readonly<Record<string, string>>): string {
  const name = expression.replace('inputs.', '')
  return inputs[name] ?? action.inputs[name].default
}

function runStep(
  cwd: string,
  { run = '', env = {} }: Step,
  more: Readonly<Record<string, string>>,
  find: (expression: string) => string,
) {
  const given = Object.entries(env).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression) => find(expression)),
  ])
  return runIn(cwd, run, { ...Object.fromEntries(given), ...more })
}

/** As a runner does it. */
function runIn(cwd: string, script: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
    execFile('bash', words, { cwd, env: { ...npmEnv(), ...env } }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : Number(error.code),
        output: stdout + (error === null ? '' : stderr),
      }),
    )
  })
}
