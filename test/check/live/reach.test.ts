import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { Probe, Unconnected } from '../../../src/probe/probe.ts'
import { pemOf } from '../../support/certificates/certificate.ts'
import { closedPort, startRawFrontEnd } from '../../support/front-ends/raw-front-end.ts'
import { listen } from '../../support/listen.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { prefix } from '../a-config.ts'
import { checkBehind, type LiveGiven, liveCheck, openSandbox, outcomesOf } from './live-check.ts'

const DAY_MS = 86_400_000

const sandbox = await openSandbox()

const everythingElse = ['redirect', 'forwarded', 'origin', 'widget-key', 'allowed', 'methods', 'set-cookie']

function expectRestSkipped(outcomes: Readonly<Record<string, string>>) {
  expect(everythingElse.map((id) => outcomes[`live/${id}`])).toEqual(everythingElse.map(() => 'skipped'))
}

describe('a host', () => {
  it.each([
    ['has no address', { kind: 'unresolved', code: 'ENOTFOUND' }, 'fail', 'skipped'],
    ['is not known for now', { kind: 'unknown', code: 'EAI_AGAIN' }, 'inconclusive', 'inconclusive'],
  ] as const)('that %s', async (_what, resolution, dns, connect) => {
    const probe = { resolve: async () => resolution } as Partial<Probe> as Probe
    const checked = await liveCheck({ points: [`http://www.example.com${prefix}`], source: { probe } })
    expect(outcomesOf(checked)).toMatchObject({ 'live/dns': dns, 'live/connect': connect })
    expect(checked.find('live/dns')).toHaveProperty('message', expect.stringContaining('www.example.com'))
  })

  it('with an override is never looked up', async () => {
    const resolve = ['www.example.com:127.0.0.1']
    const { failed } = await checkBehind(sandbox, { host: 'www.example.com' }, () => ({ resolve }))
    expect(failed).toEqual([])
  })
})

describe('a connection', () => {
  it('that is refused, after it was tried again', async () => {
    const pauses: number[] = []
    const port = await closedPort()
    const checked = await liveCheck({
      points: [`http://127.0.0.1:${port}${prefix}`],
      probe: { pausesMs: [10, 40], pause: async (ms) => pauses.push(ms) },
    })
    expect(checked.failed).toEqual(['live/connect'])
    expect(pauses).toEqual([10, 40])
    expectRestSkipped(outcomesOf(checked))
    expect(checked.find('live/forwarded')?.message).toBe('because live/connect failed')
  })

  it('that is closed in the middle of a head is not the service', async () => {
    const { failed } = await checkRaw('http', (socket) => socket.end('HTTP/1.1 200 OK\r\nServer:'))
    expect(failed).toEqual(['live/forwarded'])
  })

  it('of which one address refuses', async () => {
    const checked = await checkBehind(sandbox, { host: 'www.example.com' }, (_origin, port) => ({
      resolve: [`www.example.com:${port}:127.0.0.1`, `www.example.com:${port}:127.0.0.99`],
    }))
    expect(checked.failed).toEqual(['live/connect'])
    expect(checked.find('live/connect')?.evidence).toMatchObject({ addresses: ['127.0.0.99'] })
  })

  it.each<[string, 'loopback' | 'dns', Unconnected['cause'][], string]>([
    [
      'one spelling of loopback refuses and the other times out',
      'loopback',
      ['refused', 'timeout'],
      'inconclusive',
    ],
    [
      'one spelling of loopback times out and the other refuses',
      'loopback',
      ['timeout', 'refused'],
      'inconclusive',
    ],
    [
      'one spelling of loopback refuses and the other is not there',
      'loopback',
      ['refused', 'unroutable'],
      'fail',
    ],
    ['both spellings of loopback refuse', 'loopback', ['refused', 'refused'], 'fail'],
    ['one address refuses and the other times out', 'dns', ['refused', 'timeout'], 'fail'],
    ['both addresses time out', 'dns', ['timeout', 'timeout'], 'inconclusive'],
  ])('of which %s', async (_what, by, causes, outcome) => {
    const waiting = [...causes]
    const probe = {
      resolve: async () => ({
        kind: 'resolved',
        addresses: ['127.0.0.1', '::1'],
        isLoopback: by === 'loopback',
      }),
      connect: async () => ({ kind: 'unconnected', cause: waiting.shift(), code: 'CODE' }),
    } as Partial<Probe> as Probe
    const checked = await liveCheck({ points: [`http://www.shop.localhost${prefix}`], source: { probe } })
    expect(outcomesOf(checked)).toMatchObject({ 'live/dns': 'pass', 'live/connect': outcome })
  })

  it('on port 0 is not made', async () => {
    const ports: number[] = []
    const probe = {
      resolve: async () => ({ kind: 'resolved', addresses: ['127.0.0.1'] }),
      connect: async ({ port }) => {
        ports.push(port)
        return { kind: 'unconnected', cause: 'refused', code: 'ECONNREFUSED' }
      },
    } as Partial<Probe> as Probe
    const { failed } = await liveCheck({ points: [`http://127.0.0.1:0${prefix}`], source: { probe } })
    expect([ports, failed]).toEqual([[], []])
  })

  it('without an answer in time fails no rule', async () => {
    const checked = await checkRaw('http', () => {}, { probe: { deadlineMs: 1000 } })
    expect(checked.failed).toEqual([])
    expect(outcomesOf(checked)).toMatchObject({
      'live/connect': 'pass',
      'live/forwarded': 'inconclusive',
      'live/origin': 'inconclusive',
    })
  })
})

describe('TLS', () => {
  it('with a certificate from an unknown authority', async () => {
    const checked = await checkTls('service', { ca: undefined })
    expect(checked.failed).toEqual(['live/tls'])
    expect(outcomesOf(checked)).toMatchObject({ 'live/connect': 'pass', 'live/tls': 'fail' })
    expectRestSkipped(outcomesOf(checked))
  })

  it.each([
    ['a public one with its chain', 'whole-chain', 'root', undefined],
    ['one of a company with its chain', 'company', 'root', undefined],
    [
      'one of an unknown company, with its chain and a place for its issuer',
      'company',
      'authority',
      "is from an authority that browsers don't know, Test root",
    ],
    [
      'a chain whose root is unknown',
      'whole-chain',
      'authority',
      "is from an authority that browsers don't know, Test root",
    ],
  ])('says what is wrong with the chain: %s', async (_what, name, ca, said) => {
    const checked = await checkTls(name, { ca: [pemOf(`${ca}.cert`)] })
    expect(checked.find('live/tls')).toMatchObject(
      said === undefined ? { outcome: 'pass' } : { outcome: 'fail', message: `The certificate ${said}` },
    )
  })

  it('with a certificate that expires soon is a warning, and the rest goes on', async () => {
    const end = Date.parse(new X509Certificate(pemOf('service.cert')).validTo)
    const checked = await checkTls('service', { source: { nowMs: end - 5.5 * DAY_MS } })
    expect(checked.failed).toEqual(['live/tls'])
    expect(checked.find('live/tls')).toMatchObject({
      severity: 'warning',
      message: 'The certificate expires in 5 days',
    })
    expect(outcomesOf(checked)).toMatchObject({ 'live/forwarded': 'pass', 'live/methods': 'pass' })
  })

  it('that is closed after the request', async () => {
    const { port } = await openForTest(startClosingTls())
    const points = [`https://localhost:${port}${prefix}`]
    const checked = await liveCheck({ points, ca: [pemOf('authority.cert')] })
    expect(checked.failed).toEqual(['live/tls'])
    expectRestSkipped(outcomesOf(checked))
  })

  it('with one certificate that is wrong for three hosts is one cause', async () => {
    const hosts = ['www.example.com', 'shop.example.com', 'pay.example.com']
    const tls = { cert: pemOf('other-name.cert'), key: pemOf('other-name.key') }
    const checked = await checkBehind(sandbox, { host: 'www.example.com', tls }, (_origin, port) => ({
      points: hosts.map((host) => `https://${host}:${port}${prefix}`),
      resolve: hosts.map((host) => `${host}:127.0.0.1`),
      ca: [pemOf('authority.cert')],
    }))
    const causes = checked.causes.filter(({ findings }) => findings[0].outcome === 'fail')
    expect(causes.map(({ findings }) => findings.length)).toEqual([3])
    expect(causes[0]?.findings[0].evidence).toMatchObject({ names: ['other.example'] })
  })
})

function checkTls(name: string, given: LiveGiven) {
  const tls = { cert: pemOf(`${name}.cert`), key: pemOf(`${name}.key`) }
  const ca = [pemOf('authority.cert')]
  return checkBehind(sandbox, { host: 'localhost', tls }, () => ({ ca, ...given }))
}

/** Checks a server that does this with each connection that sends something. */
async function checkRaw(
  scheme: 'http' | 'https',
  script: Parameters<typeof startRawFrontEnd>[0],
  given: LiveGiven = {},
) {
  const server = await openForTest(startRawFrontEnd(script))
  return liveCheck({ points: [`${scheme}://localhost:${server.port}${prefix}`], ...given })
}

/** Completes the handshake, and hangs up at the first byte of a request. */
async function startClosingTls() {
  const server = createServer({ cert: pemOf('service.cert'), key: pemOf('service.key') }, (socket) => {
    socket.on('error', () => {}).once('data', () => socket.destroy())
  })
  return listen(server)
}
