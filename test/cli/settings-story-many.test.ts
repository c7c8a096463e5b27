import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { openFolder } from '../support/folder.ts'
import { type Program, startProgram } from '../support/program.ts'
import { until } from '../support/until.ts'

const prefix = '/service_cookie_transfer/'
const numbers = Array.from({ length: 60 }, (_, index) => index)
const ofShop = (n: number) => `https://www.shop${n}.example${prefix}`

/** Each test runs several processes, one after another. */
const LONG = { timeout: 90_000 }

/** The built program with real files, against the built stand-in, which answers in either naming set. */
describe.each(['a', 'b'])('many accounts, in naming set %s', LONG, (optionNames) => {
  const folder = openFolder()
  let sandbox: Program
  let url: string

  beforeAll(async () => {
    const shops = numbers.map((n) => ({
      company_name: `Shop ${n}`,
      company_plan_name: 'client_basic',
      widget_key: `widget-${n}`,
      rest_key: `rest-${n}`,
      domains: `www.shop${n}.example, *.test.example`,
    }))
    const others = ['uk', 'de'].map((name) => ({
      company_name: name,
      widget_key: `${name}-widget`,
      rest_key: `${name}-rest`,
      settings: { cookie_transfer_urls: [`https://old.example.${name}${prefix}`] },
    }))
    const seed = { optionNames, clients: [...shops, ...others] }
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed))
    sandbox = startProgram(['sandbox', '--port', '0', '--seed', join(folder, 'seed.json')])
    ;[url = ''] = await sandbox.printed(/http:\/\/127\.0\.0\.1:\d+/)
  })
  afterAll(async () => {
    sandbox.signal('SIGTERM')
    expect(await sandbox.ended()).toBe(0)
  })

  const file = (name: string) => join(folder, name)
  /** With the clock of the stand-in. */
  const start = (...words: string[]) =>
    startProgram(words, {
      cwd: folder,
      env: { API_KEY: 'demo-api-key', CLOCK: `${url}/_sandbox/clock` },
      nodeFlags: ['--import', fileURLToPath(new URL('../support/stand-in-time.mjs', import.meta.url))],
    })
  /** How long the program has said it waits, in seconds. */
  const waits = (program: Program) =>
    [...program.stderr().matchAll(/^Waiting (\d+) s: /gm)].map(([, seconds]) => Number(seconds))
  const advance = async (seconds: number) => {
    const body = JSON.stringify({ advanceMs: seconds * 1000 })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${url}/_sandbox/clock`, { method: 'POST', headers, body })).status).toBe(200)
  }
  /** Lets the program have the time that it waits for; returns the times. */
  const finish = async (program: Program) => {
    let given = 0
    let code: number | null | undefined
    void program.ended().then((ended) => {
      code = ended
    })
    await until(async () => {
      const next = waits(program)[given]
      if (next === undefined) return code !== undefined
      given += 1
      await advance(next)
      return false
    })
    return { code, waited: waits(program), stdout: program.stdout(), stderr: program.stderr() }
  }
  /** A new minute for the next program, which does not know what the last one has used. */
  const nextMinute = () => advance(62)
  const toOptions = (apiKey: string) => createClient({ baseUrl: `${url}/v2`, apiKey }).options
  const listed = async () => {
    await nextMinute()
    const all = await Promise.all(numbers.map((n) => toOptions(`rest-${n}`).get()))
    await nextMinute()
    return all.map(({ cookie_transfer_urls: urls }) => urls)
  }
  const statuses = async () => {
    const { requests } = (await (await fetch(`${url}/_sandbox/requests`)).json()) as {
      requests: { status: number }[]
    }
    return [...new Set(requests.map(({ status }) => status))]
  }

  it('three accounts of one config get each what is theirs, and all of it back', async () => {
    for (const name of ['uk', 'de']) await writeFile(file(`${name}.key`), `${name}-rest\n`)
    const config = {
      service: { url },
      widgetKey: 'demo-widget-key',
      apiKey: 'env:API_KEY',
      points: [
        `https://www.example.com${prefix}`,
        { url: `https://www.example.uk${prefix}`, widgetKey: 'uk-widget', apiKey: `file:${file('uk.key')}` },
        { url: `https://www.example.de${prefix}`, widgetKey: 'de-widget', apiKey: `file:${file('de.key')}` },
      ],
      cookies: ['com', 'uk', 'de'].map((name) => ({ name, domain: `www.example.${name}`, path: '/' })),
    }
    await writeFile(file('config.json'), JSON.stringify(config))
    const accounts = ['demo-api-key', 'uk-rest', 'de-rest'].map((apiKey) => toOptions(apiKey))
    const read = () => Promise.all(accounts.map((options) => options.get()))
    const before = await read()
    const differing = await finish(start('settings', 'diff'))
    expect([differing.code, differing.stdout.match(/^--- .*$/gm)]).toEqual([
      1,
      ['com', 'uk', 'de'].map((name) => `--- the account of https://www.example.${name}${prefix}`),
    ])
    expect((await finish(start('settings', 'apply', '--save', 'replaced.json'))).code).toBe(0)
    const after = await read()
    expect(
      after.map(({ cookie_transfer_urls: urls, cookie_transfer_scopes: scopes }) => [
        urls,
        scopes?.map(({ name }) => name),
      ]),
    ).toEqual([
      [[`https://www.example.com${prefix}`], ['com']],
      [[`https://old.example.uk${prefix}`, `https://www.example.uk${prefix}`], ['uk']],
      [[`https://old.example.de${prefix}`, `https://www.example.de${prefix}`], ['de']],
    ])
    expect((await finish(start('settings', 'diff'))).code).toBe(0)
    expect((await finish(start('check', '--only', 'account'))).code).toBe(0)
    expect((await finish(start('settings', 'restore', 'replaced.json', '--remove'))).code).toBe(0)
    expect(await read()).toEqual(before)
  })

  it('init --from-clients writes a config of the points on their domains, and no REST key', async () => {
    const { code, stdout, stderr } = await finish(
      start('init', '--from-clients', '--service', url, '--output', 'config.json', '--force'),
    )
    expect([code, stderr]).toEqual([0, expect.stringContaining('"*.test.example" of Shop 59 is left out: ')])
    expect(stdout).toContain('Wrote config.json: 60 points, 0 cookies.')
    const config = await readFile(file('config.json'), 'utf8')
    const lines = numbers.map(
      (n) => `    { "url": "${ofShop(n)}", "widgetKey": "widget-${n}", "plan": "client_basic" },`,
    )
    expect(config.split('\n').filter((line) => line.startsWith('    { "url"'))).toEqual(lines.sort())
    expect(config).not.toMatch(/rest-|demo-/)
    expect(stdout + stderr).not.toMatch(/rest-|widget-\d|demo-/)
  })

  it('a run that is interrupted while it waits goes on later, and each account gets its own points', async () => {
    await nextMinute()
    const first = start('settings', 'apply')
    await until(() => waits(first).length === 1)
    await advance(waits(first)[0] ?? 0)
    await until(() => waits(first).length === 2)
    first.signal(optionNames === 'a' ? 'SIGINT' : 'SIGTERM')
    expect(await first.ended()).toBe(130)
    expect(first.stderr()).toMatch(
      /\nWhat was there before is in .*\. To put it back:\n.* settings restore .*\n$/,
    )
    const changed = first.stderr().match(/^Changed /gm)?.length ?? 0
    expect(changed).toBeGreaterThan(0)
    await nextMinute()
    const rest = await finish(start('settings', 'apply'))
    expect(rest.code).toBe(0)
    const matched = rest.stderr.match(/ matches the config\.$/gm)?.length ?? 0
    // One more may have been changed, and not yet read again.
    expect([changed, changed + 1]).toContain(matched)
    expect(rest.stderr.match(/^Changed /gm)).toHaveLength(60 - matched)
    expect(rest.waited.length).toBeGreaterThan(0)
    expect(await listed()).toEqual(numbers.map((n) => [ofShop(n)]))
    const again = await finish(start('settings', 'apply'))
    expect([again.code, again.stdout]).toEqual([0, ''])
    expect(first.stderr() + rest.stderr + rest.stdout).not.toMatch(/rest-|widget-\d|demo-/)
  })

  it('the service never had to refuse a call', async () => {
    expect(await statuses()).toEqual([200])
  })
})
