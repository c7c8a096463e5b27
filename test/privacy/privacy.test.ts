import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import type { RecordingUpstream } from '../support/recording-upstream.ts'
import { askAdmin, openServed } from '../support/served.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { answerByWord, MARKER, type MixRow, REQUESTS } from './traffic-mix.ts'

/** Its secrets are markers too. */
const config = {
  widgetKey: `${MARKER}-configured-key`,
  apiKey: `${MARKER}-configured-api-key`,
  admin: { port: 0 },
  // Rows wait for these; all of them run at once, and on a busy machine a request takes its time to arrive.
  timeouts: { idle: '1500ms', headers: '1500ms' },
  limits: { bodyBytes: 100_000 },
}

/** Sends one row on a new connection. Returns the proxy's own response, if there was one. */
async function play(row: MixRow, port: number, upstream: RecordingUpstream): Promise<string> {
  const client = await openForTest(openClient(port))
  const before = upstream.requests.length
  client.write(row.octets)
  if (row.behaviour === 'leaves') {
    await upstream.arrived(before + 1)
    client.close()
    return ''
  }
  const method = row.octets.slice(0, row.octets.indexOf(' '))
  const answer = await client.response(method).catch(() => undefined)
  if (answer === undefined) await client.ended()
  client.close()
  const octets = answer?.octets ?? client.pending()
  return /^Proxy-Status:/im.test(octets) ? octets : ''
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

it.each(LEVELS)(
  'nothing of an exchange leaks, log level %s',
  async (level) => {
    const { upstream, start } = await openServed(answerByWord)
    const { program, port } = await start({ ...config, log: { level, clientAddress: 'full' } })

    const own = await Promise.all(REQUESTS.map((row) => play(row, port, upstream)))
    const metrics = await askAdmin(program)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)

    // The mix had its effect: the service saw the secrets, and the proxy made responses of its own, in both forms.
    const forwarded = upstream.octets.join('')
    for (const place of ['cookie', 'authorization', 'query', 'path', 'body', 'configured-key'])
      expect(forwarded).toContain(`${MARKER}-${place}`)
    expect(own.filter((octets) => octets.includes('application/problem+json')).length).toBeGreaterThan(20)
    expect(own.filter((octets) => octets.includes('<html')).length).toBeGreaterThan(0)
    expect(metrics).toContain('http_server_request_duration_seconds_count')
    const logged = program.stdout().match(/"msg":"exchange"/g)?.length ?? 0
    if (level === 'info') expect(logged).toBeGreaterThan(REQUESTS.length - 5)
    if (level === 'silent') expect(logged).toBe(0)

    // The one thing that `debug` shows of a request that no point owns.
    const authority = `"authority":"${MARKER}-host.example.com"`.toLowerCase()
    const isDebugging = level === 'trace' || level === 'debug'
    const stdout = program.stdout().toLowerCase()
    expect(stdout.includes(authority)).toBe(isDebugging)
    const shown = stdout.replaceAll(authority, '')
    // If no point owns the request, the response shows its authority, and nothing else of it.
    const told = own.filter((text) => text.toLowerCase().includes(authority))
    expect(told.length).toBeGreaterThan(0)
    for (const text of told) expect(text).toContain('"code":"unknown-authority"')
    const answers = own.map((text) => text.toLowerCase().replaceAll(authority, ''))
    for (const text of [shown, program.stderr(), metrics, ...answers])
      expect(text.toLowerCase()).not.toContain(MARKER.toLowerCase())
    for (const text of [metrics, ...own]) expect(text).not.toContain(upstream.authority)
    expect(program.stderr()).toBe('')
  },
  60_000,
)

it.each([
  { name: 'in the turn of the request', path: 'throw' },
  { name: 'in a promise', path: 'reject' },
])('an error of our own that quotes a request, $name, shows as a name only', async ({ path }) => {
  const { start } = await openServed(answerByWord)
  const breaking = fileURLToPath(new URL('./break-built-in.mjs', import.meta.url))
  const { program, port } = await start(
    { ...config, log: { level: 'trace' } },
    { nodeFlags: ['--import', breaking] },
  )
  const client = await openForTest(openClient(port))
  client.write(
    `GET /service_cookie_transfer/${MARKER} HTTP/1.1\r\nHost: ${POINT_HOST}\r\nCookie: ${MARKER}\r\nX-${path}-${MARKER}: ${MARKER}\r\n\r\n`,
  )
  expect(await program.ended()).toBe(3)
  expect(program.stderr()).toMatch(/^(?:internal error: TypeError\n)+$/)
  expect(program.stdout().toLowerCase()).not.toContain(MARKER.toLowerCase())
  expect(client.pending().toLowerCase()).not.toContain(MARKER.toLowerCase())
})
