import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { type FakeIo, fakeIo, runCommand } from '../cli/fake-io.ts'
import { openForTest } from '../support/open-for-test.ts'
import { startProgram } from '../support/program.ts'
import { callsOf } from './support/call.ts'

describe('sandbox', () => {
  it('prints URLs and keys once it accepts, and exits 0 on SIGTERM', async () => {
    const line = 'sandbox --port 0 --authority cobrowse.test --rate-limit off'
    const program = startProgram(line.split(' '))
    const [, url = ''] = await program.printed(/^ *Service +(http:\/\/127\.0\.0\.1:\d+)$(?=(?:.|\n)*Ctrl-C)/m)
    const [, key = ''] = await program.printed(/^ *REST key +(\S+)$/m)
    const call = callsOf(url)
    expect((await call('GET /agents/', { key })).status).toBe(200)
    expect((await call('GET /servers/', { headers: { Host: 'cobrowse.test' } })).status).toBe(200)
    expect((await call('GET /servers/', { headers: { Host: 'other.test' } })).status).toBe(421)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(program.stderr()).toBe('')
  })

  it.each([
    ['--prefix /acme/ --config own.json', '/acme/'],
    ['--config own.json', '/own_cookie_transfer/'],
    ['', '/service_cookie_transfer/'],
  ])('with %s it serves the prefix %s', async (words, prefix) => {
    const files = {
      'own.json': '{ "service": { "prefix": "/own_cookie_transfer/" } }',
      'config.json': '{ broken',
    }
    const io: FakeIo = { ...fakeIo(files), onSignal: (_name, stop) => stop() }
    const { code, stdout } = await runCommand(`sandbox --port 0 ${words}`.trim(), io)
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`Continuation end +http://127\\.0\\.0\\.1:\\d+${prefix}\n`))
  })

  it('stands in for the service of a config, with its Host, widget key and points', async () => {
    const point = 'https://www.example.com/own_cookie_transfer/'
    const service = { url: 'https://cobrowse.test:81', prefix: '/own_cookie_transfer/' }
    const config = { service, widgetKey: 'the-key', points: [point] }
    const io = fakeIo({ 'own.json': JSON.stringify(config) })
    const stop = new AbortController()
    const running = runCommand('sandbox --port 0 --config own.json', {
      ...io,
      stdout: async (text) => {
        const call = callsOf(/Service +(\S+)/.exec(text)?.[1] ?? '')
        const own = { headers: { Host: 'cobrowse.test:81' } }
        const { json } = await call('GET /company/options/', { ...own, key: 'the-key' })
        io.stdout(`${text}${JSON.stringify(json)}`)
        stop.abort()
      },
      onSignal: (_name, end) => stop.signal.addEventListener('abort', end),
    })
    await running
    expect(io.written.stdout).toMatch(/Widget key +as in the config\n/)
    expect(io.written.stdout).not.toContain('the-key')
    expect(io.written.stdout).toContain(`"cookie_transfer_urls":["${point}"]`)
  })

  it('refuses a port in use, and says what to do', async () => {
    const taken = await openForTest(startSandbox())
    const { code, stdout, stderr } = await runCommand(`sandbox --port ${taken.port}`)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`can't open port ${taken.port}: the port is in use\\. .*--port`))
  })

  it.each([
    [['--port', '70000'], /--port must be a whole number/],
    [['--prefix', 'acme'], /^command line --prefix: it does not begin with a slash/],
    [['--config', 'none.json'], /^none\.json: the config can't be read: it does not exist/],
    [['--authority', 'a b'], /--authority "a b" is not HOST/],
    [['--rate-limit', 'of'], /--rate-limit is one of on, off.*did you mean on/],
    [['--seed', 'none.json'], /^none\.json: the seed can't be read: it does not exist/],
    [['--seed', 'broken.json'], /^broken\.json:2:1: unclosed object/],
    [['--seed', 'twice.json'], /^twice\.json:2:1 \/apiKey: duplicate key "apiKey"/],
    [
      ['--seed', 'faulty.json'],
      /^faulty\.json:2:3 \/agents\/0\/agent_email: agent_email is required\nfaulty\.json:2:23 \/agents\/0\/role: role must be one of admin, manager, agent\nfaulty\.json:3:15 \/pageSize: pageSize must be at least 1\n$/,
    ],
  ])('refuses %j with the place', async (words, message) => {
    const io = fakeIo({
      'broken.json': '{ "agents": []\n',
      'twice.json': '{ "apiKey": "a",\n"apiKey": "b" }',
      'faulty.json': `{ "agents": [\n  { "role":           "boss", "agent_name": "A" } ],\n  "pageSize": 0 }`,
    })
    const { code, stdout, stderr } = await runCommand(['sandbox', ...words], io)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
