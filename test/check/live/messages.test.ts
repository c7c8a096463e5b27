/*
 * What each live rule can say, and a front end of which it says so, before services that report nothing of what arrives.
 * What only the stand-in's report shows is said before the stand-in.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AccountSaid } from '../../../src/account/read-account.ts'
import { rules } from '../../../src/check/rules/index.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
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
  strippingLargeCookies,
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
import { openForTest } from '../../support/open-for-test.ts'
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
import { saidOptions } from '../an-account.ts'
import {
  checkBehind,
  checkBehindServe,
  type LiveChecked,
  type LiveGiven,
  liveCheck,
  openSandbox,
} from './live-check.ts'

type Row = readonly [said: RegExp, check: () => Promise<LiveChecked>]

const sandbox = await openSandbox({ rateLimit: 'off', authorities: ['other.example'] })

const OTHER_PAGE = 'http://pay.www.shop.localhost:1'

/** A front end straight before a service. */
function before(said: RegExp, service: Service, faults: Faults, given: Partial<LiveGiven> = {}): Row {
  return [said, async () => checkFrontEnd((await openForTest(startService(service))).url, faults, given)]
}

/** The same before the stand-in, whose account lists the point. */
function beforeStandIn(said: RegExp, faults: Faults, given: Partial<LiveGiven> = {}): Row {
  return [said, () => checkFrontEnd(sandbox.url, faults, given)]
}

function checkFrontEnd(service: string, faults: Faults, given: Partial<LiveGiven>) {
  const options = { faults, listed: [`${OTHER_PAGE}${prefix}`] }
  const setAccount = (account: Parameters<Sandbox['setAccount']>[0]) => sandbox.setAccount(account)
  return checkBehind({ url: service, setAccount }, options, (origin) => ({
    pages: [`${origin}/`],
    service,
    widgetKey: WIDGET_KEY,
    ...given,
  }))
}

/** A front end before our own proxy, which has the point on two paths. */
function beforeProxy(said: RegExp, service: Service, faults: Faults, given: LiveGiven = {}): Row {
  return [said, () => checkBehindServe(service, faults, (origin) => ({ pages: [`${origin}/`], ...given }))]
}

/** A front end with a certificate of the tests, for browsers that know this authority. */
function withCertificate(said: RegExp, name: string, authority: string, given: Partial<LiveGiven> = {}): Row {
  const check = async () => {
    const { url } = await openForTest(startService(opaque))
    const tls = { cert: pemOf(`${name}.cert`), key: pemOf(`${name}.key`) }
    const { origin } = await openForTest(startFrontEnd(url, { host: 'localhost', tls }))
    return liveCheck({ points: [`${origin}${prefix}`], ca: [pemOf(`${authority}.cert`)], ...given })
  }
  return [said, check]
}

/** A server that does this with each connection that sends something. */
function raw(said: RegExp, scheme: string, script: Parameters<typeof startRawFrontEnd>[0]): Row {
  const check = async () => {
    const { port } = await openForTest(startRawFrontEnd(script))
    return liveCheck({ points: [`${scheme}://localhost:${port}${prefix}`] })
  }
  return [said, check]
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
/** It looks at the key first. */
const orderly: Service = { words: (origin = '?', key) => (key === WIDGET_KEY ? origin : '!'), isBlind: true }
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
    raw(/^The connection is closed before there is an answer$/, 'http', (socket) => socket.destroy()),
  ],
  'live/tls': [
    withCertificate(/^The certificate is for another host$/, 'other-name', 'authority'),
    withCertificate(/^The certificate has expired$/, 'expired', 'authority'),
    withCertificate(/^The certificate is self-signed$/, 'self-signed', 'authority'),
    withCertificate(/ is from an authority that browsers don't know, /, 'service', 'root'),
    withCertificate(/ comes alone: the intermediate is missing, /, 'leaf-alone', 'root'),
    withCertificate(
      / relies on the certificate of an issuer that has expired, /,
      'lapsed-chain',
      'lapsed-root',
    ),
    withCertificate(/^The certificate expires within a day$/, 'service', 'authority', {
      source: { nowMs: Date.parse('9999-12-31') },
    }),
    raw(/ speaks plain http on this port, not TLS$/, 'https', (socket) =>
      socket.end('HTTP/1.1 400 No\r\n\r\n'),
    ),
    raw(/ accepts the connection, but the TLS handshake fails$/, 'https', (socket) => socket.destroy()),
  ],
  'live/redirect': [
    before(/ of its own, to the same URL again$/, opaque, { answer: ({ target }) => redirect(target) }),
    before(/ of its own, from http to https$/, opaque, {
      answer: ({ target }, { authority }) => redirect(`https://${authority}${target}`),
    }),
    before(/ of its own, to another host, shop.example$/, opaque, {
      answer: () => redirect('http://shop.example/'),
    }),
    before(/ of its own, to a login$/, opaque, { answer: () => redirect('/login?next=x') }),
    before(
      / of its own, that adds or removes a slash$/,
      opaque,
      on(/check\//, redirect('/service_cookie_transfer/check/a%2Fb/%7Ec/')),
    ),
    before(/ of its own, to no valid URL$/, opaque, { answer: () => redirect('http://[') }),
    before(/ of its own, to another path$/, opaque, { answer: () => redirect('/elsewhere') }),
    beforeProxy(/^Your web server or proxy changed the status of an answer from 200 to 404$/, opaque, {
      response: ({ status }, _site, { method }) => (method === 'PUT' ? { status: 404 } : { status }),
    }),
    beforeProxy(/^Your web server or proxy rewrote the Location of a redirect$/, lavish, {
      response: ({ status, fields }) =>
        status === 302 ? { fields: withField(fields, 'Location', '/') } : {},
    }),
    beforeStandIn(/^Your web server or proxy followed a redirect of the service instead /, { follows: true }),
    beforeStandIn(/^The redirect of the service does not come back: /, {
      closes: ({ target }) => target.includes('redirect'),
    }),
    beforeStandIn(/^Your web server or proxy changed the status of a redirect from 302 to 307$/, {
      response: ({ status }) => (status === 302 ? { status: 307 } : {}),
    }),
    beforeStandIn(/^A redirect of the service did not come back as a redirect$/, {
      response: ({ status }) => (status === 302 ? { status: 200 } : {}),
    }),
  ],
  'live/forwarded': [
    before(/^The point does not reach the service, or the service refuses what arrives: /, talkative, {
      answer: () => page(200, 'Welcome'),
    }),
    before(/^Your web server or proxy asks for a login \(401\)$/, silent, { answer: () => page(401, 'no') }),
    before(/^Your web server or proxy forbids the request \(403\)$/, silent, {
      answer: () => page(403, 'no'),
    }),
    before(/^Your web server or proxy refuses the request because of a rate limit \(429\)$/, silent, {
      answer: () => page(429, 'no'),
    }),
    before(/^Your web server answers 502 itself: what it forwards to does not answer$/, silent, {
      answer: () => page(502, 'no'),
    }),
    before(/^nginx answers 503 itself: the site is in maintenance, or over a limit$/, silent, {
      answer: () => nginxSays(503),
    }),
    before(/^The service seems to get a Host that is not its own, such as /, hostwise, sitesHost),
    before(/^The service gets a Host that is not its own: /, silent, set('Host', 'other.example')),
    before(
      /^The point gets the answer that the service has on another path, such as \/$/,
      pathwise,
      replacing(CONTINUATION, '/'),
    ),
    beforeProxy(
      /^The point is forwarded to another path of the service$/,
      opaque,
      replacing(CONTINUATION, `${CONTINUATION}x/`),
    ),
    before(/^The body of the answer can't be decoded$/, opaque, add('Content-Encoding', 'gzip')),
    raw(/^The answer comes back incomplete$/, 'http', (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    ),
    before(/^A challenge for bots answers in place of the service$/, opaque, {
      answer: () =>
        page(200, '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/a.js"></script>'),
    }),
    beforeProxy(/^serve refuses the request: /, opaque, set('Host', 'other.example')),
    before(
      /^\d+ of \d+ answers came from something other than the service: 404$/,
      opaque,
      now(3, { answer: () => page(404, 'no') }),
    ),
    beforeProxy(
      /^\d+ of \d+ requests arrive changed at the service, but unchanged when sent again$/,
      opaque,
      now(2, drop('cookie')),
    ),
    beforeStandIn(/^The point reaches another service than the config names, /, set('Host', 'other.example')),
    beforeStandIn(
      /^The point is forwarded to another path of the service, /,
      replacing(CONTINUATION, `${CONTINUATION}x/`),
    ),
    beforeStandIn(
      /^Your web server or proxy does not pass on the request's headers: Accept /,
      drop('accept'),
    ),
  ],
  'live/origin': [
    before(
      /^The service answers as it would to a wrong or missing origin$/,
      talkative,
      set('X-Continuation-Origin', 'http://other.example'),
    ),
    before(/^The service answers as .* missing origin$/, orderly, drop('x-continuation-origin')),
    before(
      /^The verification page says that the origin is wrong$/,
      marked,
      set('X-Continuation-Origin', 'http://other.example'),
    ),
    before(/^The client's origin is passed on, /, talkative, passingOn('x-continuation-origin')),
    beforeStandIn(/^X-Continuation-Origin does not arrive at the service$/, drop('x-continuation-origin')),
    beforeStandIn(
      /^X-Continuation-Origin is passed on as the client sends it: /,
      passingOn('x-continuation-origin'),
    ),
    beforeStandIn(
      /^X-Continuation-Origin arrives 2 times$/,
      set('X-Continuation-Origin', 'http://a.example', 'http://a.example'),
    ),
    beforeStandIn(/^X-Continuation-Origin arrives empty$/, set('X-Continuation-Origin', '')),
    beforeStandIn(
      /^X-Continuation-Origin is http:\/\/a.example, not /,
      set('X-Continuation-Origin', 'http://a.example'),
    ),
  ],
  'live/widget-key': [
    before(
      /^The service answers as it would to a wrong or missing widget key$/,
      orderly,
      drop('x-widget-key'),
    ),
    before(
      /^The service refuses the widget key or the origin, and answers both alike$/,
      { words: (origin, key) => (key === WIDGET_KEY && origin?.includes('www.shop') ? 'in' : 'out') },
      set('X-Continuation-Origin', 'http://other.example'),
    ),
    before(/^The verification page says that the widget key is wrong$/, marked, set('X-Widget-Key', 'x')),
    before(/^The client's widget key is passed on, /, talkative, passingOn('x-widget-key')),
    beforeStandIn(/^X-Widget-Key does not arrive at the service$/, drop('x-widget-key')),
    beforeStandIn(/^X-Widget-Key arrives 2 times$/, set('X-Widget-Key', WIDGET_KEY, WIDGET_KEY)),
    beforeStandIn(/^X-Widget-Key arrives empty$/, set('X-Widget-Key', '')),
    beforeStandIn(/^X-Widget-Key is passed on as the client sends it: /, passingOn('x-widget-key')),
    beforeStandIn(/^The service does not know the widget key that arrives$/, set('X-Widget-Key', 'x')),
    beforeStandIn(/^The widget key that arrives is not the config's, /, {}, { widgetKey: 'x' }),
    beforeStandIn(/^"widgetKey" of the config is the REST key of the account$/, set('X-Widget-Key', 'x'), {
      widgetKey: 'x',
      account: { ...saidOptions({}), withBothKeys: false } as AccountSaid,
    }),
    beforeStandIn(/^The client's X-Widget-Key is passed on in addition /, {
      request: ({ fields }, arrived) => {
        const sent = firstOf(arrived.fields, 'x-widget-key')
        return sent === undefined ? {} : { fields: [...fields, 'X-Widget-Key', sent] }
      },
    }),
  ],
  'live/allowed': [
    before(
      /^The account does not allow /,
      {
        words: () =>
          marked
            .words('http://www.shop.localhost:1', WIDGET_KEY, NOTHING)
            .replace(/allowed" data-outcome="pass/, 'allowed" data-outcome="fail'),
      },
      {},
    ),
    [
      /^The account lists .*, but not this URL$/,
      async () => {
        const { origin } = await openForTest(startFrontEnd(sandbox.url))
        sandbox.setAccount(demoAccount({ cookie_transfer_urls: [`${origin}/shop${prefix}`] }))
        return liveCheck({ points: [`${origin}${prefix}`], service: sandbox.url, widgetKey: WIDGET_KEY })
      },
    ],
  ],
  'live/methods': [
    before(/PUT: it does not reach the service, /, opaque, on(/^PUT/, page(405, 'no'))),
    before(
      /^GET.*: what is below the point does not reach the service, /,
      opaque,
      on(/check\//, page(404, 'no')),
    ),
    before(/: it arrives as GET$/, attentive, { request: () => ({ method: 'GET' }) }),
    before(/: the query does not arrive as it was sent/, attentive, replacing(/\?.*/, '')),
    before(/: the body does not arrive as it was sent/, attentive, noBody),
    before(/: the path arrives decoded or re-encoded/, attentive, replacing('a%2Fb/%7Ec', 'a/b/~c')),
    beforeProxy(/: it arrives as another method/, opaque, turning('PATCH', 'POST')),
    beforeProxy(/: the path does not arrive as it was sent/, opaque, replacing('a%2Fb/%7Ec', 'a/b/~c')),
    beforeStandIn(/: the path arrives cut/, replacing('check/a%2Fb/%7Ec', '')),
    beforeStandIn(/: a different path arrives/, replacing('check/a%2Fb/%7Ec', 'other')),
  ],
  'live/set-cookie': [
    before(/^The Cookie line does not arrive at the service$/, attentive, drop('cookie')),
    beforeProxy(
      /^The Cookie line does not arrive as it was sent$/,
      opaque,
      onCookie((line) => line.replaceAll('; ', ';')),
    ),
    beforeProxy(
      /^Set-Cookie lines come back changed or not at all: /,
      lavish,
      onSetCookie((lines) => lines.slice(1)),
    ),
    beforeProxy(/^Set-Cookie lines come back in a different order$/, lavish, reversed),
    before(
      /^Set-Cookie lines are joined into one$/,
      lavish,
      onSetCookie((lines) => [lines.join(', ')]),
    ),
    before(
      /^Set-Cookie lines are lost: all$/,
      silent,
      onSetCookie(() => []),
    ),
    before(/^Set-Cookie lines come back in a different order or number$/, lavish, reversed),
    before(
      /^Set-Cookie lines are rewritten$/,
      lavish,
      onSetCookie((lines) => lines.map((line) => `${line}; Secure`)),
    ),
    beforeStandIn(/^Set-Cookie lines do not come back: /, {
      closes: ({ target }) => target.includes('setcookie'),
    }),
  ],
  'live/cached': [
    beforeProxy(
      /^The answer to one request came back for another$/,
      austere,
      caching(({ target }) => target),
    ),
    before(/^An answer says that it comes from a cache$/, opaque, add('Age', '7')),
    before(
      /^Caches may store what the service forbids them to store$/,
      opaque,
      add('Cache-Control', 'public, max-age=60'),
    ),
  ],
  'live/header-size': [
    before(/^A Cookie line of 16 KiB does not arrive: the answer was 431/, opaque, refusingLargeCookies),
    before(/^A Cookie line of 16 KiB is dropped: /, attentive, strippingLargeCookies),
  ],
  'live/body-size': [
    before(/^A body of 1 MiB does not arrive: the answer was 413/, attentive, refusingLargeBodies),
    beforeStandIn(/^A long answer comes back incomplete$/, cuttingAnswers),
  ],
  'live/cors': [
    before(
      /^Pages of any website may read the point's answers: /,
      opaque,
      add('Access-Control-Allow-Origin', '*'),
    ),
    before(/^Pages of any website may read the point's answers, with the visitor's cookies: /, opaque, {
      response: ({ fields }, _site, arrived) => ({
        fields: [...fields, ...allowing(arrived), 'Access-Control-Allow-Credentials', 'true'],
      }),
    }),
    before(/^Pages of any website may send requests to the point: /, opaque, {
      answer: (arrived) =>
        firstOf(arrived.fields, 'access-control-request-method') === undefined
          ? undefined
          : { status: 200, fields: ['Content-Type', 'text/html', ...allowing(arrived)] },
    }),
    beforeProxy(
      /^Origin, or what a preflight asks for, does not arrive as it was sent$/,
      opaque,
      drop('origin'),
      across,
    ),
    before(
      /^Access-Control-Allow-Origin arrives 2 times, /,
      silent,
      {
        response: ({ fields }, _site, arrived) => ({
          fields: [...fields, ...(arrived.method === 'GET' ? allowing(arrived) : [])],
        }),
      },
      across,
    ),
    before(
      /^Access-Control-Allow-Origin is not what the service sent$/,
      silent,
      {
        response: ({ fields }, _site, { method }) => ({
          fields: method === 'GET' ? without(fields, 'access-control-allow-origin') : fields,
        }),
      },
      across,
    ),
    before(
      /^Something other than the service answers the preflight$/,
      silent,
      on(/^OPTIONS/, { status: 204 }),
      across,
    ),
    before(
      /^The browser's preflight does not get through: /,
      silent,
      on(/^OPTIONS/, page(405, 'no')),
      across,
    ),
    before(
      /^(?:GET|OPTIONS) across origins gets no answer: /,
      silent,
      { closes: ({ target }) => target.includes('cors0') },
      across,
    ),
    beforeStandIn(/^Origin does not arrive at the service$/, drop('origin'), across),
    beforeStandIn(
      /^The preflight allows the page none of its headers: /,
      drop('access-control-request-headers'),
      across,
    ),
  ],
  'live/outside': [
    before(/^The whole site is forwarded to the service, with all its cookies$/, opaque, {
      forwards: () => true,
    }),
    before(/^More than the point is forwarded to the service, with the cookies of the site$/, opaque, {
      forwards: (target) => target.startsWith('/service_cookie_transferx/'),
    }),
  ],
  // No other service is asked for large answers or errors.
  'live/response-size': [
    beforeStandIn(/^An answer with 8 KiB of Set-Cookie lines does not come back: the answer was 502/, {
      response: ({ fields }) => (fields.join('').length > 7_000 ? page(502, 'too large') : {}),
    }),
  ],
  'live/errors': [
    beforeStandIn(
      /^Your web server or proxy puts an error page in place of the service's answer: 404$/,
      ownErrorPages,
    ),
  ],
}

const NOTHING = { host: '', method: '', target: '', hasCookie: false, body: '' }

const said: string[] = []

describe.each(Object.entries(tables))('%s', (id, rows) => {
  it.each(rows)('says %s', async (pattern, check) => {
    const { find, failed } = await check()
    const { message = '', outcome } = find(id) ?? {}
    said.push(message)
    expect([outcome, message]).toEqual(['fail', expect.stringMatching(pattern)])
    expect(failed).toEqual([id])
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
