import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Program, startProgram } from '../support/program.ts'

/** Program against program: they share nothing but the network. */
describe('an account that lags behind the config', () => {
  let folder: string
  let sandbox: Program
  let file: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
    sandbox = startProgram(['sandbox', '--port', '0'])
    const [url = ''] = await sandbox.printed(/http:\/\/127\.0\.0\.1:\d+/)
    file = join(folder, 'config.json')
    const config = {
      service: { url },
      widgetKey: 'demo-widget-key',
      apiKey: 'demo-api-key',
      points: [`${url}/service_cookie_transfer/`.replace('127.0.0.1', 'localhost')],
      cookies: [{ name: 'sid', domain: 'localhost', path: '/', httponly: true }],
    }
    await writeFile(file, JSON.stringify(config))
  })
  afterEach(async () => {
    sandbox.signal('SIGTERM')
    expect(await sandbox.ended()).toBe(0)
    await rm(folder, { recursive: true })
  })

  const run = async (...words: string[]) => {
    const program = startProgram([...words, '--config', file])
    return { code: await program.ended(), stdout: program.stdout(), stderr: program.stderr() }
  }
  const accountOutcomes = async () => {
    const { stdout } = await run('check', '--format', 'json', '--fail-on', 'never')
    const { checks }: { checks: { id: string; outcome: string }[] } = JSON.parse(stdout)
    return checks.filter(({ id }) => id.startsWith('account/')).map(({ id, outcome }) => `${id} ${outcome}`)
  }

  it('fails check, and passes after settings apply, which changes nothing the second time', async () => {
    expect(await accountOutcomes()).toEqual(
      expect.arrayContaining(['account/url-not-registered fail', 'account/scopes-differ fail']),
    )
    expect((await run('settings', 'apply', '--dry-run')).code).toBe(0)
    expect((await run('settings', 'diff')).code).toBe(1)
    expect((await run('settings', 'apply')).code).toBe(0)
    const [outcomes, again] = await Promise.all([accountOutcomes(), run('settings', 'apply')])
    expect(outcomes.filter((line) => line.endsWith(' fail'))).toEqual([])
    expect(again.stderr).toBe('The account matches the config.\n')
    expect(again.code).toBe(0)
    expect(again.stdout + again.stderr).not.toMatch(/demo-api-key|demo-widget-key/)
  }, 60_000)
})
