import { expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { valuesOf } from '../support/wire.ts'
import { openPartsStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'

/** Longer than the site itself waits. */
const config = { timeouts: { connect: '1s', headers: '1300ms', idle: '1300ms' } }
/** A service that hangs. */
const script = () => {}

/** The site's own time limit, where its config may have one: shorter than that of `serve`. */
const impatient: Readonly<Record<string, (text: string) => string>> = {
  nginx: (text) => text.replace('http {', 'http { proxy_read_timeout 1s; proxy_send_timeout 1s;'),
  apache: (text) => `${text}\nTimeout 1\n`,
  haproxy: (text) => text.replace('timeout server 50s', 'timeout server 1s'),
}

it.for(servers)('a service that hangs: serve answers, since $name waits longer', async (server, { skip }) => {
  if (skips(server)) skip()
  const edit = impatient[server.name] ?? ((text: string) => text)
  const stage = await openForTest(openPartsStage(server, 'route', { script, config, edit }))
  const { status, answer } = await stage.ask('/service_cookie_transfer/')
  const [by] = valuesOf(answer, 'proxy-status').join().split(';')
  expect([status, by]).toEqual([504, 'continuation-point'])
})

// A request waits for a connection, which takes connect + headers at most, and then for the service. Caddy has no limit.
it.each(['nginx', 'apache', 'haproxy'] as const)('%s waits 70 s for 5 s, 30 s and 30 s', (name) => {
  const points = ['https://www.example.com/service_cookie_transfer/']
  const timeouts = { connect: '5s', headers: '30s', idle: '30s' }
  expect(renderConfig(name, 'route', { points, timeouts })).toMatch(/\b70s?\b/)
})
