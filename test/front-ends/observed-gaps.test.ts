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

const ENCODED_LETTER = '/service_cookie_%74ransfer/'

/** Each by a sentence about it. */
const observations: Readonly<Record<string, Readonly<Record<string, Observation>>>> = {
  nginx: {
    'X-Forwarded-For is replaced': addresses(['route', 'forward']),
    'access rules of the site apply to its points': async (server) => {
      const edit = (text: string) => text.replace('gzip on;', 'gzip on; deny all;')
      return { seen: (await askTypical(server, 'forward', PREFIX, { edit })).status, said: 403 }
    },
    'a 103 of the service counts as its response': hinted({ interim: [[]], final: ['"cookies"'] }),
  },
  apache: {
    'X-Forwarded-For is replaced': addresses(['route', 'forward']),
    'limits.bodyBytes is not kept in forward mode': async (server) => {
      const stage = await openForTest(openTypicalStage(server, 'forward', { limits: { bodyBytes: 4 } }))
      const request = { method: 'POST', lines: 'Content-Length: 5\r\n', body: 'abcde' }
      return { seen: (await stage.ask(PREFIX, request)).seen.map(({ body }) => body), said: ['abcde'] }
    },
    'paths are matched decoded, in route mode normalised too': async (server) => ({
      seen: [
        await arrivesAt(server, 'route', ENCODED_LETTER),
        await arrivesAt(server, 'route', `/x/..${PREFIX}`),
        await arrivesAt(server, 'forward', ENCODED_LETTER),
        await arrivesAt(server, 'forward', `/x/..${PREFIX}`),
      ],
      said: [PREFIX, PREFIX, PREFIX, 403],
    }),
  },
  caddy: {
    'X-Forwarded-For is replaced': addresses(['route', 'forward']),
    'in forward mode a path belongs to a point whatever the case of its letters': async (server) => ({
      seen: [
        await arrivesAt(server, 'forward', ENCODED_LETTER),
        await arrivesAt(server, 'forward', '/Service_Cookie_Transfer/'),
      ],
      said: [ENCODED_LETTER, '/Service_Cookie_Transfer/'],
    }),
    'in forward mode 1xx responses are passed on': hinted({ interim: [['"cookies"']], final: [] }),
  },
  haproxy: {
    'in route mode X-Forwarded-For is replaced': addresses(['route']),
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

describe.each(servers)('$name', (server) => {
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

/** Where a request arrives at the service, or the status of one that does not. */
async function arrivesAt(server: RealServer, mode: Mode, target: string): Promise<string | number> {
  const { status, seen } = await askTypical(server, mode, target)
  return seen[0]?.startLine.split(' ')[1] ?? status
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

/** What a peer says about the client is left out. */
function addresses(modes: readonly Mode[]): Observation {
  return async (server) => {
    const lists: string[] = []
    for (const mode of modes) {
      const { seen } = await askTypical(server, mode, PREFIX, { lines: 'X-Forwarded-For: 192.0.2.7\r\n' })
      lists.push(...seen.flatMap((request) => valuesOf(request, 'x-forwarded-for')))
    }
    return { seen: lists.map((list) => list.includes('192.0.2.7')), said: modes.map(() => false) }
  }
}
