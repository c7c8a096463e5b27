import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, servers, skips } from '../front-ends/support/real-server.ts'
import { skipsBrowser } from '../sandbox/support/chromium.ts'
import { certificate } from '../support/certificates/certificate.ts'
import { type CaddySite, startCaddySite } from './caddy-site.ts'
import { type Machine, makeMachine } from './clone.ts'
import { type ExpressSite, makeExpressSite, pasteLines } from './express-site.ts'
import { expectGreen, keys, openPoints, type Points, type Service, startService } from './hour.ts'
import { type NginxSite, startNginxSite } from './nginx-site.ts'
import { shopCookies, shopHosts, toPage } from './shop.ts'
import { sendVisitors } from './steady-visitors.ts'

/** `git clone` and `npm ci`. */
const INSTALLING = 2
const LONG = { timeout: 300_000 }
let machine: Machine
let service: Service

beforeAll(async () => {
  machine = makeMachine()
  writeFileSync(join(machine.clone, 'cookies.txt'), shopCookies)
  service = await startService(machine)
}, 600_000)

afterAll(async () => {
  await service.close()
  machine.remove()
  // Packages that were installed are many files.
}, 120_000)

/** One mistake that people make in a set-up that works. */
interface Mistake {
  readonly name: string
  /** The rule that has to name it first. */
  readonly rule: string
  make(): Promise<void> | void
  /** Does what `check` printed. Where that is something to paste or to run, it is taken from the text. */
  follow(printed: string): Promise<void> | void
}

const isAbsent = (name: string) => servers.every((server) => server.name !== name || skips(server))

describe.skipIf(isAbsent('nginx') || skipsBrowser)('the first hour with nginx', LONG, () => {
  let site: NginxSite
  let points: Points
  let port: number

  beforeAll(async () => {
    port = await freePort()
    site = await startNginxSite(machine, port, toPage(service.url))
  })

  afterAll(async () => {
    await points?.stop()
    await site.close()
  })

  it('goes from a site to a green check with the printed commands, and no visitor notices', async () => {
    // The service was there before.
    const [startMs, before] = [performance.now(), machine.commands.length - INSTALLING]
    const rehearsal = await machine.run(
      `npx continuation-point rehearse ${toPages(port)} --ca-file ${certificate('shop-authority.cert')} --write config.json --headless --no-sandbox`,
      { ...keys, CONTINUATION_SERVICE_URL: service.url },
    )
    expect(rehearsal).toMatchObject({ code: 0, stdout: expect.stringContaining('3 points, 3 cookies') })
    const config = readFileSync(join(machine.clone, 'config.json'), 'utf8')
    expect(config).not.toMatch(/secret-of|demo-/)
    points = await openPoints(machine, 'config.json')

    const visitors = sendVisitors(port)
    const [, renderLine = ''] = /^ {2}(.* render nginx) --output \/etc\/nginx$/m.exec(rehearsal.stdout) ?? []
    const render = await machine.run(`${renderLine} --output ${site.folder}`)
    expect(render.code, render.stderr).toBe(0)
    includeIn(site, render.stdout)
    await site.reload()
    await points.start()
    await visitors.more(100)
    expect([...new Set(await visitors.stop())]).toEqual([])

    expect(await machine.run('npx continuation-point settings apply', keys)).toMatchObject({ code: 0 })
    expectGreen(await points.check())
    const commands = machine.commands.length - before
    const seconds = Math.round((machine.installMs + performance.now() - startMs) / 1000)
    process.stdout.write(`nginx, from clone to green: ${commands} commands in ${seconds} s\n`)
    expect(commands, machine.commands.join('\n')).toBeLessThanOrEqual(8)
    // Nothing was edited but the place of the include, and which ports are free here.
    expect(config).toContain('\n  "apiKey": "env:API_KEY",')
    expectGreen(await machine.run('npx continuation-point check --offline'))
    expect(await machine.run('npx continuation-point serve --test', keys)).toMatchObject({ stdout: 'ok\n' })
  })

  const restart = async (env: Readonly<Record<string, string>>) => {
    await points.stop()
    await points.start(env)
  }
  const list = /"points": \[[^\]]*\]/
  // Those of the config and the account; those of web servers are in test/check/set-ups.
  it.each<Mistake>([
    {
      name: 'a wrong widget key',
      rule: 'live/widget-key',
      make: () => restart({ ...keys, WIDGET_KEY: keys.API_KEY }),
      follow: (printed) => {
        expect(printed).toContain('Set "widgetKey" to the key in the widget code, and restart serve')
        return restart(keys)
      },
    },
    {
      name: 'points that the account does not list',
      rule: 'account/url-not-registered',
      make: () => service.forgetPoints(),
      follow: async (printed) => {
        const [, words = ''] = /continuation-point (settings apply)/.exec(printed) ?? []
        await machine.run(`npx continuation-point ${words} --config ${points.config}`, keys)
      },
    },
    {
      name: 'a cookie path without a point',
      rule: 'cookie/path-not-covered',
      make: () => points.editConfig((text) => text.replace(/^.*\/checkout\/service.*\n/m, '')),
      follow: (printed) => {
        const [suggested = ''] = list.exec(printed) ?? []
        points.editConfig((text) => text.replace(list, () => suggested))
      },
    },
  ])('$name: found, and fixed with what check prints', async ({ rule, make, follow }) => {
    await make()
    const { stdout } = await points.check()
    expect(stdout.split('\n')[0], stdout).toContain(rule)
    await follow(stdout)
    expectGreen(await points.check())
  })
})

describe.skipIf(isAbsent('caddy'))('the first hour with Caddy', LONG, () => {
  let site: CaddySite
  let points: Points
  let port: number

  beforeAll(async () => {
    port = await freePort()
    site = await startCaddySite(machine, port, toPage(service.url))
  })

  afterAll(async () => {
    await points?.stop()
    await site.close()
  })

  it('goes from a site to a green check with the printed commands, and no visitor notices', async () => {
    const init = await machine.run(
      `npx continuation-point init ${toPages(port)} --from-cookies cookies.txt --service ${service.url} --front-end caddy --output caddy.json`,
    )
    expect(init).toMatchObject({ code: 0, stdout: expect.stringContaining('3 points, 3 cookies') })
    points = await openPoints(machine, 'caddy.json')

    const visitors = sendVisitors(port)
    const [, renderLine = ''] = /^ {2}(.* render caddy .*) --output \/etc\/caddy$/m.exec(init.stdout) ?? []
    const render = await machine.run(`${renderLine} --output ${site.folder}`)
    expect(render.code, render.stderr).toBe(0)
    for (const [, host = '', line = ''] of render.stdout.matchAll(
      /^At the top of the site block of (\S+):\n {2}(.+)$/gm,
    )) {
      site.edit('Caddyfile', (text) =>
        text.replace(`https://${host}:${port} {`, (start) => `${start}\n\t${line}`),
      )
    }
    await site.reload()
    expect(await machine.run('npx continuation-point serve --test --config caddy.json', keys)).toMatchObject({
      stdout: 'ok\n',
    })
    await points.start()
    await visitors.more(100)
    // Caddy may reset a connection that comes while it reloads, also before its handshake is done.
    const isReset = /^(?:connect|read) ECONNRESET|^Client network socket disconnected before secure TLS/
    expect((await visitors.stop()).filter((fault) => !isReset.test(fault))).toEqual([])

    const applied = await machine.run(
      'npx continuation-point settings apply --remove --config caddy.json',
      keys,
    )
    expect(applied).toMatchObject({ code: 0 })
    expectGreen(await points.check())
  })
})

describe('the first hour with Express', LONG, () => {
  let site: ExpressSite
  let points: Points

  beforeAll(async () => {
    const port = await freePort()
    site = makeExpressSite(machine, port, toPage(service.url))
    const url = `http://www.shop.localhost:${port}/`
    writeFileSync(
      join(machine.clone, 'express.txt'),
      'Set-Cookie: sid=secret; HttpOnly\nSet-Cookie: basket=secret; HttpOnly; Path=/checkout',
    )
    const config = join(site.folder, 'config.json')
    const init = await machine.run(
      `npx continuation-point init ${url} --from-cookies express.txt --service ${service.url} --front-end node --output ${config}`,
    )
    expect(init).toMatchObject({ code: 0, stdout: expect.stringContaining('2 points, 2 cookies') })
    points = await openPoints(machine, config)
    site.edit((text) => pasteLines(text, init.stdout))
  })

  afterAll(() => site.close())

  it('goes from a site to a green check with the printed lines', async () => {
    await site.start(keys)
    const applied = await machine.run(
      `npx continuation-point settings apply --remove --config ${points.config}`,
      keys,
    )
    expect(applied).toMatchObject({ code: 0 })
    expectGreen(await points.check())
  })
})

/** The pages of the shop, as words of a command. */
function toPages(port: number): string {
  return shopHosts.map((host) => `https://${host}:${port}/`).join(' ')
}

/** Puts the line that `render` printed into the server block of each host that it names. */
function includeIn(site: NginxSite, printed: string): void {
  const [, origins = '', line = ''] =
    /^Once in each server block that serves (.+):\n {2}(.+)$/m.exec(printed) ?? []
  const hosts = origins.split(', ').map((origin) => new URL(origin).hostname)
  expect(hosts).toHaveLength(2)
  for (const host of hosts) {
    site.edit('sites-enabled/shop.conf', (text) =>
      text.replace(`server_name ${host};`, (name) => `${name}\n  ${line}`),
    )
  }
}
