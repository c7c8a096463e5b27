import { randomBytes } from 'node:crypto'
import { valuesOf } from '../../http/fields.ts'
import { pageFields } from '../look/document.ts'
import { type Account, isPageOrigin } from '../state/account.ts'
import type { Service } from '../state/service.ts'
import type { Arrival } from '../wire/arrival.ts'
import { corsFields, preflightFields } from '../wire/cors.ts'
import { toReceived } from './received.ts'
import { findTestResource, type TestResource } from './test-resource.ts'
import { toMisdirected, verifiableUrls, verify } from './verification.ts'
import { renderVerificationPage } from './verification-page.ts'
import { answerWidgetCall, findWidgetCall } from './widget-call.ts'

/**
 * Answers a request below the prefix: a preflight, a test resource, a call of the widget stand-in, the verification
 * page at the root, else JSON that says exactly what arrived. Nothing more is documented, so nothing more is imitated.
 *
 * The JSON is `{ standIn, checks, listedUrls, received }`; `standIn` is the version of that form.
 */
export async function answerContinuation(
  arrival: Arrival,
  prefix: string,
  account: Account,
  service: Service,
): Promise<Response> {
  const call = findWidgetCall(arrival, nameOf(arrival, prefix), queryOf(arrival), service)
  // The visitor's window, which fetches changed cookies, is at the service's own address.
  const mayRead = (origin: string) =>
    isPageOrigin(account, origin) || origin === call?.owned?.session.visit?.serviceOrigin
  const headers = new Headers(corsFields(arrival.fields, mayRead))
  const preflight = preflightFields(arrival, mayRead)
  if (preflight !== undefined) {
    for (const [name, value] of Object.entries(preflight)) headers.set(name, value)
    return new Response(null, { status: 204, headers })
  }
  const resource =
    call === undefined
      ? findTestResource(nameOf(arrival, prefix), queryOf(arrival), rootOf(arrival, prefix))
      : answerWidgetCall(call, arrival, account)
  if (resource !== undefined) return answerResource(resource, arrival, account, headers)
  if (wantsPage(arrival, prefix)) return answerPage(arrival, account, headers)
  headers.set('Cache-Control', 'no-store')
  return answerJson({}, arrival, account, { status: 200, headers })
}

function answerResource(
  resource: TestResource,
  arrival: Arrival,
  account: Account,
  headers: Headers,
): Response {
  for (const [name, value] of resource.fields) headers.append(name, value)
  const init = { status: resource.status, headers }
  if (resource.text === undefined) return answerJson(resource.members ?? {}, arrival, account, init)
  headers.set('Content-Type', 'text/plain; charset=utf-8')
  return new Response(resource.text, init)
}

/** An answer to HEAD has no body, so the method is always in a field too. */
function answerJson(
  members: Readonly<Record<string, unknown>>,
  arrival: Arrival,
  account: Account,
  init: { readonly status: number; readonly headers: Headers },
): Response {
  init.headers.set('Stand-In-Method', arrival.method)
  return Response.json(
    {
      standIn: 1,
      ...members,
      checks: verify(arrival.fields, account),
      listedUrls: verifiableUrls(arrival.fields, account),
      received: toReceived(arrival, account),
    },
    init,
  )
}

/**
 * Answers a browser that requests the verification page with a Host that is not the service's. **Ours:** a real service
 * would show some other site; this one shows the page, with its first box red.
 *
 * @returns `undefined` for any other request
 */
export async function answerMisdirected(
  arrival: Arrival,
  prefix: string,
  account: Account,
): Promise<Response | undefined> {
  const accept = valuesOf(arrival.fields, 'accept').join(',').toLowerCase()
  if (!accept.includes('text/html') || !wantsPage(arrival, prefix)) return undefined
  const checks = toMisdirected(verify(arrival.fields, account), arrival.fields)
  return answerPage(arrival, account, new Headers(), 421, checks)
}

async function answerPage(
  arrival: Arrival,
  account: Account,
  headers: Headers,
  status: 200 | 421 = 200,
  checks = verify(arrival.fields, account),
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  for (const [name, value] of Object.entries(pageFields(nonce))) headers.set(name, value)
  return new Response(
    await renderVerificationPage({
      nonce,
      checks,
      listedUrls: verifiableUrls(arrival.fields, account),
      received: toReceived(arrival, account),
    }),
    { status, headers },
  )
}

function wantsPage({ method, path, fields }: Arrival, prefix: string): boolean {
  if (path !== prefix || (method !== 'GET' && method !== 'HEAD')) return false
  const accept = valuesOf(fields, 'accept').join(',').toLowerCase()
  return accept.includes('text/html') || !accept.includes('application/json')
}

function nameOf({ path }: Arrival, prefix: string): string {
  return path.slice(prefix.length)
}

function queryOf({ target, path }: Arrival): string {
  return target.slice(path.length + 1)
}

function rootOf({ fields }: Arrival, prefix: string): string {
  return `http://${valuesOf(fields, 'host')[0] ?? ''}${prefix}`
}
