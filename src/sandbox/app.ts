import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { type Authority, parseAuthority, serialiseAuthority } from '../http/authority.ts'
import { valuesOf } from '../http/fields.ts'
import { answerContinuation } from './continuation/continuation-end.ts'
import { addControls } from './control.ts'
import { answerRest } from './rest/answer-rest.ts'
import { NOT_STORED, refused } from './rest/reply.ts'
import { addSessionPages } from './session/session-app.ts'
import { answerSessionLink } from './session/session-links.ts'
import { type App, type Arrival, observeArrival, readBody } from './state/arrival.ts'
import { API_ROOT, accountOf, type SandboxState } from './state/sandbox-state.ts'
import { closeUnopened } from './state/service.ts'

/**
 * Wires the stand-in: first the virtual host, then its controls, widget and windows, then the service. Hono routes by a
 * decoded path, so all decisions use Node's raw target and field lines instead.
 *
 * @param authorities the allowed values of Host, from `ownAuthorities`
 */
export function sandboxApp(state: SandboxState, authorities: readonly string[]): App {
  const app: App = new Hono()
  app.use(async (c, next) => {
    const { incoming } = c.env
    if (isOwnAuthority(valuesOf(incoming.rawHeaders, 'host'), authorities)) return next()
    const text = `Unknown virtual host.

This stand-in service answers only to the Host ${authorities.join(', ')}.
A continuation point has to send the host of the service, not that of the customer site.
`
    return c.text(text, 421)
  })
  addControls(app, state)
  app.use(async (_c, next) => {
    closeUnopened(state.service, state.clock.nowMs())
    return next()
  })
  addSessionPages(app, state)
  app.all('*', async (c) => {
    const { incoming } = c.env
    const isCall = isRest(incoming.url ?? '')
    const limitOctets = isCall ? REST_LIMIT_OCTETS : CONTINUATION_LIMIT_OCTETS
    const body = await readBody(incoming, limitOctets)
    if (body instanceof Response) {
      if (isCall || body.status !== 413) return body
      return c.json({ standIn: 1, error: 'body-too-large', limitOctets }, 413)
    }
    const arrival = observeArrival(incoming, body)
    const answer = await answerArrival(arrival, body, incoming.socket.remoteAddress ?? '', state)
    state.requests.add(arrival, body, answer.status, state.service, state.clock.nowMs())
    return answer
  })
  app.onError((_error, c) => c.text('The stand-in service failed to answer.\n', 500))
  return app
}

/** Answers as the service: first the rate limit, then failures that a test forces, then by path. */
async function answerArrival(
  arrival: Arrival,
  body: Buffer,
  address: string,
  state: SandboxState,
): Promise<Response> {
  const { path } = arrival
  const limited = isRest(path) ? countCall(address, state) : undefined
  const early = limited ?? (await forceFailure(arrival, state))
  if (early !== undefined) return early
  if (isRest(path)) return answerRest(arrival, body, state)
  const link = answerSessionLink(arrival, state.service, state.clock.nowMs())
  if (link !== undefined) return link
  if (path.startsWith(state.prefix))
    return answerContinuation(arrival, accountOf(state, arrival.fields), state)
  const line = `Nothing is here. This stand-in service has its continuation end at ${state.prefix} and its REST API at ${API_ROOT}/\n`
  return new Response(line, { status: 404 })
}

function isRest(target: string): boolean {
  return target.startsWith(`${API_ROOT}/`)
}

function countCall(address: string, { rateLimit, clock }: SandboxState): Response | undefined {
  const waitSeconds = rateLimit.count(address, clock.nowMs())
  if (waitSeconds === undefined) return undefined
  const rate = [`Too many calls in this minute; try again in ${waitSeconds} s.`]
  return refused(429, { rate }, { 'Retry-After': String(waitSeconds) })
}

async function forceFailure(
  { method, path }: Arrival,
  { failures, closing }: SandboxState,
): Promise<Response | undefined> {
  const failure = failures.take(method, path)
  if (failure === undefined) return undefined
  // Closing ends the wait; the connection is closed by then.
  await wait(failure.delayMs, undefined, { signal: closing }).catch(() => {})
  const { status } = failure
  if (status === undefined) return undefined
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers: NOT_STORED })
  const forced = ['A test made the stand-in fail here.']
  return refused(status, { forced }, [429, 503].includes(status) ? { 'Retry-After': '1' } : {})
}

/**
 * The authorities that the stand-in answers to: the loopback names with its port, and those that were added, each
 * `HOST[:PORT]`. A host that was added without a port is accepted without one and with the stand-in's.
 *
 * @throws TypeError if one of them is not `HOST[:PORT]`
 */
export function ownAuthorities(port: number, added: readonly string[]): readonly string[] {
  const authorities = [
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => ({ host, port })),
    ...added
      .map(parseAddedAuthority)
      .flatMap((each) => (each.port === undefined ? [each, { ...each, port }] : [each])),
  ]
  return [...new Set(authorities.map((each) => serialiseAuthority(each, 'http')))]
}

/** Whether there is exactly one Host line with one of these authorities, ignoring case. */
export function isOwnAuthority(hosts: readonly string[], authorities: readonly string[]): boolean {
  const [host, ...more] = hosts
  if (host === undefined || more.length > 0) return false
  const authority = parseAuthority(host)
  return authority !== undefined && authorities.includes(serialiseAuthority(authority, 'http'))
}

function parseAddedAuthority(text: string): Authority {
  const authority = parseAuthority(text)
  if (authority === undefined) throw new TypeError(`"${text}" is not HOST or HOST:PORT`)
  return authority
}

const CONTINUATION_LIMIT_OCTETS = 10 * 1024 * 1024
const REST_LIMIT_OCTETS = 1024 * 1024
