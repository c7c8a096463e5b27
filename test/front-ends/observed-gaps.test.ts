import { describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { valuesOf, type WireMessage } from '../support/wire.ts'
import { openTypicalStage, type TypicalChanges } from './support/front-end-stage.ts'
import { type RealServer, servers, skips } from './support/real-server.ts'
import { PREFIX } from './support/started-site.ts'

/* What stays different from `serve` where the conformance suite can't see it, as deploy/recipes/README.md says. */

/** What the sentence says, and what is observed. */
type Observation = (server: RealServer) => Promise<{ readonly seen: unknown; readonly said: unknown }>
type Mode = 'route' | 'forward'

/** Each by a sentence about it. */
const observations: Readonly<Record<string, Readonly<Record<string, Observation>>>> = {
  nginx: {
    'access rules of the site apply to its points': async (server) => {
      const edit = (text: string) => text.replace('gzip on;', 'gzip on; deny all;')
      return { seen: (await askTypical(server, 'forward', PREFIX, { edit })).status, said: 403 }
    },
    'a 103 of the service counts as its response': hinted({ interim: [[]], final: ['"cookies"'] }),
  },
  caddy: { 'in forward mode 1xx responses are passed on': hinted({ interim: [['"cookies"']], final: [] }) },
  haproxy: {
    'of an IP address only the authority is verified': async (server) => {
      const ask = async (serviceHost: string, certificate: string) =>
        (await askTypical(server, 'forward', PREFIX, { serviceHost, certificate })).status
      return {
        seen: [
          await ask('127.0.0.1', 'other-name'),
          await ask('127.0.0.1', 'self-signed'),
          await ask('localhost', 'other-name'),
        ],
        said: [200, 503, 503],
      }
    },
    'in forward mode 1xx responses are passed on': hinted({ interim: [['"cookies"']], final: [] }),
  },
}

describe.each(servers.filter(({ name }) => name in observations))('$name', (server) => {
  it.skipIf(skips(server)).each(Object.entries(observations[server.name] ?? {}))(
    '%s',
    async (_sentence, observe) => {
      const { seen, said } = await observe(server)
      expect(seen).toEqual(said)
    },
    60_000,
  )
})

/** One GET to a point of the typical site. */
async function askTypical(
  server: RealServer,
  mode: Mode,
  target: string,
  { lines = '', ...changes }: TypicalChanges & { readonly lines?: string } = {},
) {
  const stage = await openForTest(openTypicalStage(server, mode, changes))
  return stage.ask(target, { lines })
}

/** The Clear-Site-Data that a visitor gets of a service that sends it with a 103, and again with its response. */
function hinted(said: { readonly interim: readonly string[][]; readonly final: string[] }): Observation {
  return async (server) => {
    const line = 'Clear-Site-Data: "cookies"\r\n'
    const script = answerWith(
      `HTTP/1.1 103 Early Hints\r\n${line}\r\nHTTP/1.1 200 OK\r\n${line}Content-Length: 2\r\n\r\nok`,
    )
    const { interim, answer } = await askTypical(server, 'forward', PREFIX, { script })
    const cleared = (message: WireMessage) => valuesOf(message, 'clear-site-data')
    return { seen: { interim: interim.map(cleared), final: cleared(answer) }, said }
  }
}
