import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/arguments.ts'
import { command } from '../../src/cli/render.ts'
import { fakeIo } from './fake-io.ts'

const CONFIG = JSON.stringify({
  service: { url: 'https://service.example' },
  widgetKey: 'the-literal-key',
  points: ['https://www.example.com/service_cookie_transfer/'],
})

async function render(line: string, files: Record<string, string> = { 'config.json': CONFIG }) {
  const io = fakeIo(files)
  const parsed = parseArguments(line.split(' '), command)
  if (parsed.kind !== 'arguments') return { code: parsed.kind, ...io.written }
  const code = await command.run(parsed.args as Parameters<typeof command.run>[0], io)
  return { code, ...io.written }
}

describe('render', () => {
  it.each([
    ['nginx', 'server 127.0.0.1:8080;'],
    ['nginx --mode route --upstream [::1]:81', 'server [::1]:81;'],
    ['haproxy --upstream proxy.internal:81', 'server serve proxy.internal:81'],
    ['caddy --mode forward', 'reverse_proxy https://service.example:443'],
  ])('%s writes the config to stdout', async (line, part) => {
    const result = await render(line)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain(part)
    expect(result.stdout).not.toContain('the-literal-key')
  })

  it('names the name servers of this machine to nginx', async () => {
    const files = { 'config.json': CONFIG, '/etc/resolv.conf': 'nameserver 192.0.2.53\n' }
    expect((await render('nginx --mode forward', files)).stdout).toContain('resolver 192.0.2.53;')
  })

  it.each([
    ['nginxx', 'unknown front end "nginxx", did you mean nginx?'],
    ['zzzzzzzz', 'unknown front end "zzzzzzzz"'],
    ['varnish --mode forward', 'Varnish does not speak TLS'],
    ['cloudflare-worker', 'use --mode forward'],
    ['nginx --mode forward --upstream a:1', '--upstream says where serve listens'],
    ['nginx --upstream a', 'HOST:PORT'],
    ['nginx --config other.json', 'other.json'],
  ])('%s is refused with the reason', async (line, part) => {
    const result = await render(line)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(
      part.startsWith('/') ? /--upstream/ : new RegExp(part.replace(/[?.]/g, '\\$&')),
    )
  })

  it.each(['nginx caddy', 'nginx --mode both', 'nginx --mode'])('%j is a usage error', async (line) => {
    expect(await render(line)).toEqual({ code: 'fault', stdout: '', stderr: '' })
  })
})
