import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openCommandLine } from './fake-io.ts'

const prefix = '/service_cookie_transfer/'

describe.each(['a', 'b'] as const)('two teams with one account, in naming set %s', async (optionNames) => {
  const disk: Record<string, string> = {}
  const sandbox = await startSandbox({ seed: { optionNames }, rateLimit: 'off' })
  afterAll(() => sandbox.close())
  const api = `${sandbox.url}/v2`
  const team = (host: string, more: object = {}) => ({
    points: [`https://${host}${prefix}`],
    pages: [`https://${host}/`],
    cookies: [
      { name: 'sid', domain: host, path: '/', httponly: true },
      { name: `of-${host}`, domain: '.example.com', path: '/', httponly: true },
    ],
    ...more,
  })
  const shop = team('www.example.com')
  const bank = team('bank.example.com')

  const keys = { widgetKey: 'demo-widget-key', apiKey: 'demo-api-key' }
  const run = (config: object, ...words: string[]) =>
    openCommandLine(disk)({ ...keys, service: { api }, ...config }, ...words)
  const account = () => createClient({ baseUrl: api, apiKey: 'demo-api-key' }).options
  const listed = async () => {
    const { cookie_transfer_urls: urls, cookie_transfer_scopes: scopes } = await account().get()
    return { urls, scopes: scopes?.map(({ name, domain }) => `${name} ${domain}`) }
  }
  const everything = {
    urls: [...shop.points, ...bank.points],
    scopes: [
      'sid www.example.com',
      'of-www.example.com .example.com',
      'sid bank.example.com',
      'of-bank.example.com .example.com',
    ],
  }

  it('both apply, and neither loses anything', async () => {
    for (const config of [shop, bank])
      expect(await run(config, 'settings', 'apply')).toMatchObject({ code: 0 })
    expect(await listed()).toEqual(everything)
  })

  it('neither sees a difference, nor a finding of check', async () => {
    for (const config of [shop, bank]) {
      expect(await run(config, 'settings', 'diff')).toMatchObject({ code: 0, stdout: '' })
      expect(await run(config, 'check', '--only', 'account')).toMatchObject({ code: 0 })
    }
  })

  it('init --from-account writes a config with which nothing differs', async () => {
    const words = ['init', '--from-account', '--service', api.replace('/v2', ''), '--output', 'adopted.json']
    const cli = openCommandLine(disk, { API_KEY: 'demo-api-key', WIDGET_KEY: 'demo-widget-key' })
    const alone = await cli(undefined, ...words)
    const diff = await cli(undefined, 'settings', 'diff', '--config', 'adopted.json')
    expect([alone.code, diff.code, diff.stdout]).toEqual([0, 0, ''])
    expect(alone.stdout + alone.stderr).not.toContain('demo-')
  })

  it('hosts are written as A-labels in lower case, and what was applied as typed differs', async () => {
    const [sid] = team('www.BÜCHER.example').cookies
    const typed = team('www.BÜCHER.example', { cookies: [sid] })
    const label = 'www.xn--bcher-kva.example'
    const before = await account().get()
    await account().change({
      cookie_transfer_urls: [...everything.urls, ...typed.points],
      cookie_transfer_scopes: [...(before.cookie_transfer_scopes ?? []), sid as never],
    })
    const { code, stdout } = await run(typed, 'settings', 'diff')
    expect([code, stdout]).toEqual([1, expect.stringContaining('- sid www.BÜCHER.example / httponly\n')])
    expect(await run(typed, 'check', '--only', 'account')).toMatchObject({ code: 1 })
    expect(await run(typed, 'settings', 'apply')).toMatchObject({ code: 0 })
    const { urls, scopes } = await listed()
    expect(urls).toEqual([...everything.urls, `https://${label}${prefix}`])
    expect(scopes?.filter((scope) => scope.includes('cher'))).toEqual([`sid ${label}`])
    await account().change(before)
  })

  it('a removal of their own takes --remove, and leaves the others alone', async () => {
    const less = { ...shop, cookies: shop.cookies.slice(1) }
    expect(await run(less, 'check', '--only', 'account/scopes-differ')).toMatchObject({ code: 1 })
    const { code, stderr } = await run(less, 'settings', 'apply')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Allow it with --remove.')])
    expect(await listed()).toEqual(everything)
    expect(await run(less, 'settings', 'apply', '--remove')).toMatchObject({ code: 0 })
    expect((await listed()).scopes?.toSorted()).toEqual(everything.scopes.slice(1).toSorted())
    expect(await run(shop, 'settings', 'apply')).toMatchObject({ code: 0 })
  })

  it('a shared cookie that a config drops stays, and diff, apply and check say so', async () => {
    const less = { ...shop, cookies: shop.cookies.slice(0, 1) }
    const line =
      'Left alone, since other hosts of the account may use it: of-www.example.com .example.com / httponly\n'
    for (const words of ['diff', 'apply --dry-run', 'apply --remove']) {
      const { code, stdout, stderr } = await run(less, 'settings', ...words.split(' '))
      expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining(line)])
    }
    const { code, stdout } = await run(less, 'check', '--only', 'account')
    expect([code, stdout]).toEqual([0, expect.stringContaining('of-www.example.com .example.com / httponly')])
    expect((await listed()).scopes?.toSorted()).toEqual(everything.scopes.toSorted())
  })

  it('without cookies the account’s stay, and an empty list removes theirs', async () => {
    const { cookies: _cookies, ...absent } = shop
    expect(await run(absent, 'settings', 'apply', '--remove')).toMatchObject({ code: 0, stdout: '' })
    expect((await listed()).scopes).toHaveLength(4)
    expect(await run({ ...shop, cookies: [] }, 'settings', 'apply', '--remove')).toMatchObject({ code: 0 })
    expect((await listed()).scopes).not.toContain('sid www.example.com')
    expect((await listed()).scopes).toContain('sid bank.example.com')
    expect(await run(shop, 'settings', 'apply')).toMatchObject({ code: 0 })
  })

  it('restore puts back exactly what apply replaced, and what restore replaced', async () => {
    await account().change({
      cookie_transfer_enabled: false,
      cookie_transfer_urls: [...everything.urls].reverse(),
    })
    const before = await account().get()
    const saved = 'before.json'
    const { code, stderr } = await run(shop, 'settings', 'apply', '--remove-foreign', '--save', saved)
    expect([code, stderr]).toEqual([0, expect.stringContaining(`settings restore ${saved}`)])
    const after = await account().get()
    expect(after).not.toEqual(before)
    const again = 'after.json'
    expect(await run(shop, 'settings', 'restore', saved, '--dry-run')).toMatchObject({ code: 0 })
    expect(await account().get()).toEqual(after)
    expect(await run(shop, 'settings', 'restore', saved, '--remove', '--save', again)).toMatchObject({
      code: 0,
    })
    expect(await account().get()).toEqual(before)
    expect(await run(shop, 'settings', 'restore', again, '--remove')).toMatchObject({ code: 0 })
    expect(await account().get()).toEqual(after)
    expect(await run(shop, 'settings', 'restore', saved)).toMatchObject({ code: 0 })
  })

  it('restore undoes what one team applied, and not what the other applied since', async () => {
    const nothing = { cookie_transfer_urls: [], cookie_transfer_scopes: [] }
    await account().change({ ...nothing, cookie_transfer_enabled: false })
    const saved = 'of-shop.json'
    expect(await run(shop, 'settings', 'apply', '--save', saved)).toMatchObject({ code: 0 })
    expect(await run(bank, 'settings', 'apply')).toMatchObject({ code: 0 })
    expect(await run(shop, 'settings', 'restore', saved)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Allow it with --remove.'),
    })
    for (const said of ['need it: cookie_transfer_enabled\n', 'Nothing of of-shop.json is left to undo in']) {
      expect(await run(shop, 'settings', 'restore', saved, '--remove')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(said),
      })
      expect(await listed()).toEqual({ urls: bank.points, scopes: everything.scopes.slice(2) })
    }
    expect(await run(bank, 'settings', 'diff')).toMatchObject({ code: 0, stdout: '' })
    expect(await run(shop, 'settings', 'apply')).toMatchObject({ code: 0 })
  })

  it('a host with a typo that was applied is undone with a config that spells it right', async () => {
    const typo = team('wwww.example.com')
    const before = await account().get()
    const saved = 'typo.json'
    expect(await run(typo, 'settings', 'apply', '--save', saved)).toMatchObject({ code: 0 })
    expect(await run(typo, 'settings', 'diff')).toMatchObject({ code: 0, stdout: '' })
    // To the config that spells it right, the host with the typo is another team's.
    expect(await run(shop, 'settings', 'diff')).toMatchObject({ code: 0, stdout: '' })
    expect((await listed()).urls).toContain(typo.points[0])
    expect(await run(shop, 'settings', 'restore', saved, '--remove')).toMatchObject({ code: 0 })
    expect(await account().get()).toEqual(before)
  })

  it('a switch that was changed in the dashboard since apply stays as it is', async () => {
    const saved = 'switches.json'
    await account().change({ cookie_transfer_enabled: false, cookie_transfer_proxying: false })
    const words = ['settings', 'apply', '--save', saved]
    expect(await run({ ...shop, backTransfer: false }, ...words)).toMatchObject({ code: 0 })
    await account().change({ cookie_transfer_proxying: false, enable_cookie_backtransfer: true })
    expect(await run(shop, 'settings', 'restore', saved)).toMatchObject({ code: 0 })
    expect(await account().get()).toMatchObject({
      cookie_transfer_enabled: false,
      cookie_transfer_proxying: false,
      enable_cookie_backtransfer: true,
    })
    await account().change({ enable_cookie_backtransfer: false })
    expect(await run(shop, 'settings', 'apply')).toMatchObject({ code: 0 })
  })
})
