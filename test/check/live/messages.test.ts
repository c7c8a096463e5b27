/*
 * What each live rule can say, and a front end of which it says so, before services that report nothing of what arrives.
 * What only the stand-in's report shows is said before the stand-in.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rules } from '../../../src/check/rules/index.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/account.ts'
import { pemOf } from '../../support/certificates/certificate.ts'
import { page } from '../../support/front-ends/bad-front-end.ts'
import {
  add,
  caching,
  cuttingAnswers,
  drop,
  noBody,
  on,
  onCookie,
  onSetCookie,
  ownErrorPages,
  passingOn,
  refusingLargeBodies,
  refusingLargeCookies,
  replacing,
  set,
  sitesHost,
  turning,
} from '../../support/front-ends/faults.ts'
import {
  CONTINUATION,
  type Faults,
  firstOf,
  type Passing,
  startFrontEnd,
  WIDGET_KEY,
  withField,
  without,
} from '../../support/front-ends/front-end.ts'
import { closedPort, startRawFrontEnd } from '../../support/front-ends/raw-front-end.ts'
import {
  attentive,
  austere,
  lavish,
  marked,
  opaque,
  type Service,
  silent,
  startService,
  talkative,
} from '../../support/other-service.ts'
import { prefix } from '../a-config.ts'
import {
  checkBehind,
  checkBehindServe,
  type LiveChecked,
  type LiveGiven,
  liveCheck,
  useSandbox,
} from './live-check.ts'

type Row = readonly [said: RegExp, check: () => Promise<LiveChecked>]

const sandbox = useSandbox({ rateLimit: 'off', authorities: ['other.example'] })
const closing: (() => Promise<unknown>)[] = []

const OTHER_PAGE = 'http://pay.www.shop.localhost:1'

/** A front end straight before a service. */
function before(service: Service, faults: Faults, given: Partial<LiveGiven> = {}) {
  return async () => {
    const running = await startService(service)
    closing.push(running.close)
    return checkFrontEnd(running.url, faults, given)
  }
}

/** The same before the stand-in, whose account lists the point. */
function beforeStandIn(faults: Faults, given: Partial<LiveGiven> = {}) {
  return () => checkFrontEnd(sandbox().url, faults, given)
}

function checkFrontEnd(service: string, faults: Faults, given: Partial<LiveGiven>) {
  const options = { faults, listed: [`${OTHER_PAGE}${prefix}`] }
  const setAccount = (account: Parameters<Sandbox['setAccount']>[0]) => sandbox().setAccount(account)
  return checkBehind({ url: service, setAccount }, options, (origin) => ({
    pages: [`${origin}/`],
    service,
    widgetKey: WIDGET_KEY,
    ...given,
  }))
}

/** A front end before our own proxy, which has the point on two paths. */
function beforeProxy(service: Service, faults: Faults, given: LiveGiven = {}) {
  return () => checkBehindServe(service, faults, (origin) => ({ pages: [`${origin}/`], ...given }))
}

/** A front end with a certificate of the tests, for browsers that know this authority. */
function withCertificate(name: string, authority: string, given: Partial<LiveGiven> = {}) {
  return async () => {
    const running = await startService(opaque)
    const tls = { cert: pemOf(`${name}.cert`), key: pemOf(`${name}.key`) }
    const frontEnd = await startFrontEnd(running.url, { host: 'localhost', tls })
    closing.push(frontEnd.close, running.close)
    return liveCheck({
      points: [`${frontEnd.origin}${prefix}`],
      ca: [pemOf(`${authority}.cert`)],
      ...given,
    })
  }
}

/** A server that does this with each connection that sends something. */
function raw(scheme: string, script: Parameters<typeof startRawFrontEnd>[0]) {
  return async () => {
    const server = await startRawFrontEnd(script)
    closing.push(server.close)
    return liveCheck({ points: [`${scheme}://localhost:${server.port}${prefix}`] })
  }
}

const redirect = (location: string) => ({ status: 302, fields: ['Location', location] })
const reversed = onSetCookie((lines) => lines.toReversed())
/** Every second time, or every third. */
const now = (every: number, fault: Faults): Faults => {
  let asked = 0
  return {
    answer: (...given) => {
      asked += 1
      return asked % every === 0 ? fault.answer?.(...given) : undefined
    },
    request: (...given) => (asked % every === 0 ? (fault.request?.(...given) ?? {}) : {}),
  }
}
const across = { pages: [`${OTHER_PAGE}/`] }
const nginxSays = (status: number) => ({ status, fields: ['Server', 'nginx'], body: Buffer.from('no') })
/** Its page is another one on each path, whatever the Host. */
const pathwise: Service = { ...attentive, isBlind: true }
/** It tells customers apart by Host. */
const hostwise: Service = {
  words: (_origin, _key, { host }) => (host?.startsWith('127.') ? 'Welcome' : 'No such customer'),
  isBlind: true,
}
const allowing = (arrived: Passing) => {
  const origin = firstOf(arrived.fields, 'origin')
  return origin === undefined ? [] : ['Access-Control-Allow-Origin', origin]
}

const tables: Readonly<Record<string, readonly Row[]>> = {
  'live/dns': [[/ does not resolve$/, () => liveCheck({ points: [`http://nowhere.invalid${prefix}`] })]],
  'live/connect': [
    [
      /^Connections are refused at /,
      async () => liveCheck({ points: [`http://127.0.0.1:${await closedPort()}${prefix}`] }),
    ],
    [/^The connection is closed before there is an answer$/, raw('http', (socket) => socket.destroy())],
  ],
  'live/tls': [
    [/^The certificate is for another host$/, withCertificate('other-name', 'authority')],
    [/^The certificate has expired$/, withCertificate('expired', 'authority')],
    [/^The certificate is self-signed$/, withCertificate('self-signed', 'authority')],
    [/ is from an authority that browsers don't know, /, withCertificate('service', 'root')],
    [/ comes without the intermediate certificate of its issuer, /, withCertificate('leaf-alone', 'root')],
    [
      / relies on the certificate of an issuer that has expired, /,
      withCertificate('lapsed-chain', 'lapsed-root'),
    ],
    [
      /^The certificate expires within a day$/,
      withCertificate('service', 'authority', { source: { nowMs: Date.parse('9999-12-31') } }),
    ],
    [
      / speaks plain http on this port, not TLS$/,
      raw('https', (socket) => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    ],
    [/ accepts the connection, but the TLS handshake fails$/, raw('https', (socket) => socket.destroy())],
  ],
  'live/redirect': [
    [/ of its own, to the same URL again$/, before(opaque, { answer: ({ target }) => redirect(target) })],
    [
      / of its own, from http to https$/,
      before(opaque, {
        answer: ({ target }, { authority }) => redirect(`https://${authority}${target}`),
      }),
    ],
    [
      / of its own, to another host, shop.example$/,
      before(opaque, { answer: () => redirect('http://shop.example/') }),
    ],
    [/ of its own, to a login$/, before(opaque, { answer: () => redirect('/login?next=x') })],
    [
      / of its own, that adds or removes a slash$/,
      before(opaque, on(/check\//, redirect('/service_cookie_transfer/check/a%2Fb/%7Ec/'))),
    ],
    [/ of its own, to no valid URL$/, before(opaque, { answer: () => redirect('http://[') })],
    [/ of its own, to another path$/, before(opaque, { answer: () => redirect('/elsewhere') })],
    [
      /^The front end changed the status of an answer from 200 to 404$/,
      beforeProxy(opaque, {
        response: ({ status }, _site, { method }) => (method === 'PUT' ? { status: 404 } : { status }),
      }),
    ],
    [
      /^The front end rewrote the Location of a redirect$/,
      beforeProxy(lavish, {
        response: ({ status, fields }) =>
          status === 302 ? { fields: withField(fields, 'Location', '/') } : {},
      }),
    ],
    [/^The front end followed a redirect of the service instead /, beforeStandIn({ follows: true })],
    [
      /^The redirect of the service does not come back: /,
      beforeStandIn({ closes: ({ target }) => target.includes('redirect') }),
    ],
    [
      /^The front end changed the status of a redirect from 302 to 307$/,
      beforeStandIn({ response: ({ status }) => (status === 302 ? { status: 307 } : {}) }),
    ],
    [
      /^A redirect of the service did not come back as a redirect$/,
      beforeStandIn({ response: ({ status }) => (status === 302 ? { status: 200 } : {}) }),
    ],
  ],
  'live/forwarded': [
    [/^The point does not reach the service: /, before(talkative, { answer: () => page(200, 'Welcome') })],
    [/^The front end asks for a login \(401\)$/, before(silent, { answer: () => page(401, 'no') })],
    [/^The front end forbids the request \(403\)$/, before(silent, { answer: () => page(403, 'no') })],
    [
      /^The front end refuses the request because of a rate limit \(429\)$/,
      before(silent, { answer: () => page(429, 'no') }),
    ],
    [
      /^The front end answers 502 itself: what it forwards to does not answer$/,
      before(silent, { answer: () => page(502, 'no') }),
    ],
    [
      /^nginx answers 503 itself: the site is in maintenance, or over a limit$/,
      before(silent, { answer: () => nginxSays(503) }),
    ],
    [/^The service gets the Host .*, which is the host of the site$/, before(hostwise, sitesHost)],
    [/^The service gets a Host that is not its own: /, before(silent, set('Host', 'other.example'))],
    [
      /^The point gets the answer that the service has on another path, such as \/$/,
      before(pathwise, replacing(CONTINUATION, '/')),
    ],
    [
      /^The point is forwarded to another path of the service$/,
      beforeProxy(opaque, replacing(CONTINUATION, `${CONTINUATION}x/`)),
    ],
    [/^The answer comes back incomplete$/, before(opaque, add('Content-Encoding', 'gzip'))],
    [/^continuation-point refuses the request: /, beforeProxy(opaque, set('Host', 'other.example'))],
    [
      /^\d+ of \d+ answers came from something other than the service: 404$/,
      before(opaque, now(3, { answer: () => page(404, 'no') })),
    ],
    [
      /^\d+ of \d+ requests arrive changed at the service, and as they were sent when sent again$/,
      beforeProxy(opaque, now(2, drop('cookie'))),
    ],
    [
      /^The point reaches another service than the config names, /,
      beforeStandIn(set('Host', 'other.example')),
    ],
    [
      /^The point is forwarded to another path of the service, /,
      beforeStandIn(replacing(CONTINUATION, `${CONTINUATION}x/`)),
    ],
    [/^The front end does not pass on the request's fields: Accept /, beforeStandIn(drop('accept'))],
  ],
  'live/origin': [
    [
      /^The service answers as it would to a wrong origin$/,
      before(talkative, set('X-Continuation-Origin', 'http://other.example')),
    ],
    [
      /^The verification page says that the origin is wrong$/,
      before(marked, set('X-Continuation-Origin', 'http://other.example')),
    ],
    [/^The client's origin is passed on, /, before(talkative, passingOn('x-continuation-origin'))],
    [/^X-Continuation-Origin does not arrive at the service$/, beforeStandIn(drop('x-continuation-origin'))],
    [
      /^X-Continuation-Origin is passed on as the client sends it: /,
      beforeStandIn(passingOn('x-continuation-origin')),
    ],
    [
      /^X-Continuation-Origin arrives 2 times$/,
      beforeStandIn(set('X-Continuation-Origin', 'http://a.example', 'http://a.example')),
    ],
    [/^X-Continuation-Origin arrives empty$/, beforeStandIn(set('X-Continuation-Origin', ''))],
    [
      /^X-Continuation-Origin is http:\/\/a.example, not /,
      beforeStandIn(set('X-Continuation-Origin', 'http://a.example')),
    ],
  ],
  'live/widget-key': [
    [/^The service answers as it would to a wrong widget key$/, before(talkative, set('X-Widget-Key', 'x'))],
    [/^The verification page says that the widget key is wrong$/, before(marked, set('X-Widget-Key', 'x'))],
    [/^The client's widget key is passed on, /, before(talkative, passingOn('x-widget-key'))],
    [/^X-Widget-Key does not arrive at the service$/, beforeStandIn(drop('x-widget-key'))],
    [/^X-Widget-Key arrives 2 times$/, beforeStandIn(set('X-Widget-Key', WIDGET_KEY, WIDGET_KEY))],
    [/^X-Widget-Key arrives empty$/, beforeStandIn(set('X-Widget-Key', ''))],
    [/^X-Widget-Key is passed on as the client sends it: /, beforeStandIn(passingOn('x-widget-key'))],
    [/^The service does not know the widget key that arrives$/, beforeStandIn(set('X-Widget-Key', 'x'))],
    [/^The widget key that arrives is not the config's, /, beforeStandIn({}, { widgetKey: 'x' })],
    [
      /^The client's X-Widget-Key is passed on in addition /,
      beforeStandIn({
        request: ({ fields }, arrived) => {
          const sent = firstOf(arrived.fields, 'x-widget-key')
          return sent === undefined ? {} : { fields: [...fields, 'X-Widget-Key', sent] }
        },
      }),
    ],
  ],
  'live/allowed': [
    [
      /^The account does not allow /,
      before(
        {
          words: () =>
            marked
              .words('http://www.shop.localhost:1', WIDGET_KEY, NOTHING)
              .replace(/allowed" data-outcome="pass/, 'allowed" data-outcome="fail'),
        },
        {},
      ),
    ],
    [
      /^The account lists .*, but not this URL$/,
      async () => {
        const frontEnd = await startFrontEnd(sandbox().url)
        closing.push(frontEnd.close)
        sandbox().setAccount(demoAccount({ cookie_transfer_urls: [`${frontEnd.origin}/shop${prefix}`] }))
        const points = [`${frontEnd.origin}${prefix}`]
        return liveCheck({ points, service: sandbox().url, widgetKey: WIDGET_KEY })
      },
    ],
  ],
  'live/methods': [
    [/PUT: it does not reach the service, /, before(opaque, on(/^PUT/, page(405, 'no')))],
    [
      /^GET.*: what is below the point does not reach the service, /,
      before(opaque, on(/check\//, page(404, 'no'))),
    ],
    [/: it arrives as GET$/, before(attentive, { request: () => ({ method: 'GET' }) })],
    [/: the query does not arrive as it was sent/, before(attentive, replacing(/\?.*/, ''))],
    [/: the body does not arrive as it was sent/, before(attentive, noBody)],
    [/: the path arrives decoded or re-encoded/, before(attentive, replacing('a%2Fb/%7Ec', 'a/b/~c'))],
    [/: it arrives as another method/, beforeProxy(opaque, turning('PATCH', 'POST'))],
    [/: the path does not arrive as it was sent/, beforeProxy(opaque, replacing('a%2Fb/%7Ec', 'a/b/~c'))],
    [/: the path arrives cut/, beforeStandIn(replacing('check/a%2Fb/%7Ec', ''))],
    [/: a different path arrives/, beforeStandIn(replacing('check/a%2Fb/%7Ec', 'other'))],
  ],
  'live/set-cookie': [
    [/^The Cookie line does not arrive at the service$/, before(attentive, drop('cookie'))],
    [
      /^The Cookie line does not arrive as it was sent$/,
      beforeProxy(
        opaque,
        onCookie((line) => line.replaceAll('; ', ';')),
      ),
    ],
    [
      /^Set-Cookie lines come back changed or not at all: /,
      beforeProxy(
        lavish,
        onSetCookie((lines) => lines.slice(1)),
      ),
    ],
    [/^Set-Cookie lines come back in a different order$/, beforeProxy(lavish, reversed)],
    [
      /^Set-Cookie lines are joined into one$/,
      before(
        lavish,
        onSetCookie((lines) => [lines.join(', ')]),
      ),
    ],
    [
      /^Set-Cookie lines are lost: all$/,
      before(
        silent,
        onSetCookie(() => []),
      ),
    ],
    [/^Set-Cookie lines come back in a different order or number$/, before(lavish, reversed)],
    [
      /^Set-Cookie lines are rewritten$/,
      before(
        lavish,
        onSetCookie((lines) => lines.map((line) => `${line}; Secure`)),
      ),
    ],
    [
      /^Set-Cookie lines do not come back: /,
      beforeStandIn({ closes: ({ target }) => target.includes('setcookie') }),
    ],
  ],
  'live/cached': [
    [
      /^The answer to one request came back for another$/,
      beforeProxy(
        austere,
        caching(({ target }) => target),
      ),
    ],
    [/^An answer says that it comes from a cache$/, before(opaque, add('Age', '7'))],
    [
      /^Caches may store what the service forbids them to store$/,
      before(opaque, add('Cache-Control', 'public, max-age=60')),
    ],
  ],
  'live/header-size': [
    [/^A Cookie line of 16 KiB does not arrive: the answer was 431/, before(opaque, refusingLargeCookies)],
  ],
  'live/body-size': [
    [/^A body of 1 MiB does not arrive: the answer was 413/, before(attentive, refusingLargeBodies)],
    [/^A long answer comes back incomplete$/, beforeStandIn(cuttingAnswers)],
  ],
  'live/cors': [
    [
      /^Pages of any website may read the point's answers: /,
      before(opaque, add('Access-Control-Allow-Origin', '*')),
    ],
    [
      /^Pages of any website may read the point's answers, with the visitor's cookies: /,
      before(opaque, {
        response: ({ fields }, _site, arrived) => ({
          fields: [...fields, ...allowing(arrived), 'Access-Control-Allow-Credentials', 'true'],
        }),
      }),
    ],
    [
      /^Pages of any website may send requests to the point: /,
      before(opaque, {
        answer: (arrived) =>
          firstOf(arrived.fields, 'access-control-request-method') === undefined
            ? undefined
            : { status: 200, fields: ['Content-Type', 'text/html', ...allowing(arrived)] },
      }),
    ],
    [
      /^Origin, or what a preflight asks for, does not arrive as it was sent$/,
      beforeProxy(opaque, drop('origin'), across),
    ],
    [
      /^Access-Control-Allow-Origin arrives 2 times, /,
      before(
        silent,
        {
          response: ({ fields }, _site, arrived) => ({
            fields: [...fields, ...(arrived.method === 'GET' ? allowing(arrived) : [])],
          }),
        },
        across,
      ),
    ],
    [
      /^Access-Control-Allow-Origin is not what the service sent$/,
      before(
        silent,
        {
          response: ({ fields }, _site, { method }) => ({
            fields: method === 'GET' ? without(fields, 'access-control-allow-origin') : fields,
          }),
        },
        across,
      ),
    ],
    [
      /^Something other than the service answers the preflight$/,
      before(silent, on(/^OPTIONS/, { status: 204 }), across),
    ],
    [
      /^The browser's preflight does not get through: /,
      before(silent, on(/^OPTIONS/, page(405, 'no')), across),
    ],
    [
      /^(?:GET|OPTIONS) across origins gets no answer: /,
      before(silent, { closes: ({ target }) => target.includes('cors0') }, across),
    ],
    [/^Origin does not arrive at the service$/, beforeStandIn(drop('origin'), across)],
    [
      /^The preflight allows the page none of its fields: /,
      beforeStandIn(drop('access-control-request-headers'), across),
    ],
  ],
  // No other service is asked for errors.
  'live/errors': [
    [
      /^The front end puts an error page in place of the service's answer: 404$/,
      beforeStandIn(ownErrorPages),
    ],
  ],
}

const NOTHING = { host: '', method: '', target: '', hasCookie: false, body: '' }

const said: string[] = []

describe.each(Object.entries(tables))('%s', (id, rows) => {
  it.each(rows)('says %s', async (pattern, check) => {
    try {
      const { find, failed } = await check()
      const { message = '', outcome } = find(id) ?? {}
      said.push(message)
      expect([outcome, message]).toEqual(['fail', expect.stringMatching(pattern)])
      expect(failed).toEqual([id])
    } finally {
      for (const close of closing.splice(0)) await close()
    }
  })
})

it('each live rule has rows here', () => {
  const ids = rules.map(({ id }) => id).filter((id) => id.startsWith('live/'))
  expect(Object.keys(tables).sort()).toEqual(ids.sort())
})

it('each message of the source is said here', () => {
  const folder = new URL('../../../src/check/rules/live/', import.meta.url)
  const source = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const texts = source.flatMap((text) =>
    [...text.matchAll(/\bfail(?:Lines)?\(\s*(?:`([^`]+)`|'([^'\n]+)'|"([^"\n]+)")/g)].map(
      ([, template, single, double]) => template ?? single ?? double ?? '',
    ),
  )
  expect(texts.length).toBeGreaterThan(30)
  const longest = texts.map((text) =>
    text.split(/\$\{[^}]*\}/).reduce((a, b) => (b.length > a.length ? b : a)),
  )
  expect(longest.filter((part) => !said.some((message) => message.includes(part)))).toEqual([])
})
