import { execFileSync } from 'node:child_process'
import { lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { frontEnds } from '../../src/front-ends/index.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { runProgram } from '../support/program.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const CONFIG = {
  service: { url: 'https://service.example' },
  widgetKey: 'the-literal-key',
  points: ['https://www.example.com/service_cookie_transfer/'],
}

const ioOf = (changes: object = {}, files: Readonly<Record<string, string>> = {}) =>
  fakeIo({ 'config.json': JSON.stringify({ ...CONFIG, ...changes }), ...files })

function render(line: string, ...given: Parameters<typeof ioOf>) {
  return runCommand(`render ${line}`, ioOf(...given))
}

describe('render', () => {
  it('says where each part belongs', async () => {
    const { stdout } = await render('nginx')
    expect(stdout).toMatch(/^# snippets\/continuation-point-locations\.conf, made by/)
    expect(stdout).toContain(
      '# Once in each server block that serves https://www.example.com:\n#   include snippets/continuation-point-locations.conf;\n',
    )
    expect(stdout).toContain('\n\n# snippets/continuation-point.conf, made by')
  })

  it('names the server blocks of both schemes of a host', async () => {
    const points = ['http', 'https'].map((scheme) => `${scheme}://www.example.com/service_cookie_transfer/`)
    const { stdout } = await render('nginx', { points })
    expect(stdout.match(/^# .*server block that serves .*$/gm)).toEqual([
      '# Once in each server block that serves http://www.example.com, https://www.example.com:',
    ])
  })

  it('sends to serve where the config lets it listen', async () => {
    const passes = async (listen: object) =>
      /proxy_pass (.*);/.exec((await render('nginx', { listen })).stdout)?.[1]
    expect(await passes({ port: 8123 })).toBe('http://127.0.0.1:8123')
    expect(await passes({ host: '0.0.0.0' })).toBe('http://127.0.0.1:8080')
    expect(await passes({ host: '::', port: 81 })).toBe('http://[::1]:81')
    expect(await passes({ host: '2001:db8::1' })).toBe('http://[2001:db8::1]:8080')
    const anyPort = await render('nginx', { listen: { port: 0 } })
    expect(anyPort).toMatchObject({ code: 2, stdout: '' })
    expect(anyPort.stderr).toContain('/listen')
    expect(anyPort.stderr).toContain('--upstream')
  })

  it.each([
    ['nginx', 'proxy_pass http://127.0.0.1:8080;'],
    ['nginx --mode route --upstream [::1]:81', 'proxy_pass http://[::1]:81;'],
    ['haproxy --upstream proxy.internal:81', 'server serve proxy.internal:81'],
    ['caddy --mode forward', 'reverse_proxy https://service.example:443'],
  ])('%s writes the config to stdout', async (line, part) => {
    const result = await render(line)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain(part)
    expect(result.stdout).not.toContain('the-literal-key')
  })

  it('tells nginx the name servers of this machine', async () => {
    const files = { '/etc/resolv.conf': 'nameserver 192.0.2.53\n' }
    expect((await render('nginx --mode forward', {}, files)).stdout).toContain('resolver 192.0.2.53;')
  })

  it.each([
    ['nginxx', 'render takes nginx, apache, caddy or haproxy, not "nginxx", did you mean nginx?'],
    ['varnish', 'render takes nginx, apache, caddy or haproxy, not "varnish"'],
    ['nginx --mode forward --upstream a:1', '--upstream is the address of serve'],
    ['nginx --upstream a', 'command line --upstream: this does not have the form HOST:PORT\n'],
    ['nginx --config other.json', 'other.json'],
    ['nginx caddy', 'unexpected argument "caddy"'],
    ['nginx --mode both', '--mode is one of route, forward'],
    ['nginx --mode', '--mode needs a value'],
  ])('%s is refused', async (line, part) => {
    const result = await render(line)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain(part)
  })
})

describe('render --output', () => {
  const line = 'nginx --output /etc/nginx'
  const snippet = '/etc/nginx/snippets/continuation-point.conf'
  const host = '/etc/nginx/snippets/continuation-point-locations.conf'
  const limits = '/etc/nginx/conf.d/continuation-point.conf'

  it('writes the parts and says what is left to do', async () => {
    const { code, stdout, placed } = await render(line)
    expect([code, Object.keys(placed)]).toEqual([0, [host, snippet, limits]])
    expect(placed[snippet]).toContain('proxy_pass http://127.0.0.1:8080;')
    expect(stdout).toBe(`Wrote
  ${host}
  ${snippet}
  ${limits}

Once in each server block that serves https://www.example.com:
  include snippets/continuation-point-locations.conf;

In http { }, where most packages of nginx have it already:
  include conf.d/*.conf;

Then test the config and apply it:
  nginx -t && nginx -s reload

To take it back, remove the include, reload, and delete:
  ${host}
  ${snippet}
  ${limits}
`)
  })

  it.each([
    [
      'elsewhere, for later',
      '/srv/made',
      {},
      [
        'There is no haproxy.cfg beside them. Move them to the folder of HAProxy’s config, or write them there with --output:\n  /etc/haproxy\n',
        'EXTRAOPTS="-S /run/haproxy-master.sock -f /etc/haproxy/continuation-point.cfg"',
        'haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/continuation-point.cfg && systemctl restart haproxy',
      ],
    ],
    [
      'in the folder of a config that is elsewhere',
      '/opt/haproxy/',
      { '/opt/haproxy/haproxy.cfg': '' },
      [
        'EXTRAOPTS="-S /run/haproxy-master.sock -f /opt/haproxy/continuation-point.cfg"',
        'haproxy -c -f /opt/haproxy/haproxy.cfg -f /opt/haproxy/continuation-point.cfg && systemctl restart haproxy',
      ],
    ],
  ])('names the folder that the server reads: %s', async (_where, folder, files, expected) => {
    const { code, stdout, placed } = await render(`haproxy --output ${folder}`, {}, files)
    expect(code).toBe(0)
    for (const line of expected) expect(stdout).toContain(line)
    expect(stdout.includes('Move them')).toBe(folder === '/srv/made')
    const [part = ''] = Object.values(placed)
    expect(part).toContain(expected.find((line) => line.startsWith('EXTRAOPTS')))
  })

  it.each(frontEnds)(
    'says what is left to do with what it made for $name, and recognises it',
    async ({ name, home }) => {
      const io = ioOf()
      for (const mode of ['route', 'forward', 'route']) {
        const { code, stdout } = await runCommand(`render ${name} --mode ${mode} --output ${home.folder}`, io)
        expect([code, stdout]).toEqual([0, expect.stringMatching(/^Wrote\n( {2}\/.+\n)+\n\S/)])
        // The first file says how to test, to reload and to take all back.
        const [first = ''] = Object.values(io.placed)
        const last = stdout.slice(stdout.lastIndexOf('Then test the config')).replace(/^(?=.)/gm, '# ')
        expect(first).toContain(last.replaceAll('\n\n', '\n'))
      }
    },
  )

  it('does not replace a file that it did not write, and then writes nothing', async () => {
    const files = { [snippet]: '# by hand\n' }
    const { code, stderr, placed } = await render(line, {}, files)
    expect([code, stderr, placed]).toEqual([2, expect.stringContaining(`${snippet} is there already`), {}])
  })

  const openSite = async () => {
    const folder = openFolderOfTest()
    await writeFile(join(folder, 'config.json'), JSON.stringify(CONFIG))
    const render = (output: string) => runProgram(['render', 'nginx', '--output', output], { cwd: folder })
    return { folder, render }
  }

  it.each<[string, (part: string) => unknown]>([
    ['wait for a pipe', (part) => execFileSync('mkfifo', [part])],
    ['replace a link that leads nowhere', (part) => symlink('absent', part)],
  ])('does not %s that has the name of a part', async (_what, make) => {
    const { folder, render } = await openSite()
    const part = join(folder, 'out/snippets/continuation-point.conf')
    await mkdir(join(folder, 'out/snippets'), { recursive: true })
    await make(part)
    const before = await lstat(part)
    const { code, stderr } = await render('out')
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('continuation-point.conf is there already and not made by render'),
    ])
    expect((await lstat(part)).ino).toBe(before.ino)
  })

  it('writes whole files, in folders that it makes', async () => {
    const { folder, render } = await openSite()
    expect((await render('a\u001b]0;b')).stderr).toContain('--output contains a control character')
    await writeFile(join(folder, 'file'), '')
    for (const _time of [1, 2]) expect((await render('a/b')).code).toBe(0)
    expect((await readdir(join(folder, 'a/b/snippets'))).sort()).toEqual([
      'continuation-point-locations.conf',
      'continuation-point.conf',
    ])
    const { code, stderr } = await render('file')
    expect([code, stderr]).toEqual([2, expect.stringContaining('a part of its path is not a directory')])
  })
})
