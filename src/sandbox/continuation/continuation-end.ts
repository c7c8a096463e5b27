import { valuesOf } from '../../http/fields.ts'
import { type Account, isPageOrigin } from '../state/account.ts'
import type { Service } from '../state/service.ts'
import type { Arrival } from '../wire/arrival.ts'
import { corsFields, preflightFields } from '../wire/cors.ts'
import { describeRequest } from './received.ts'
import { ANY_OTHER, findTestResource, type TestResource } from './test-resource.ts'
import { judgeMisdirected, verifiableUrls, verify } from './verification.ts'
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
  const { method, target, path, fields } = arrival
  const name = path.slice(prefix.length)
  const query = new URLSearchParams(target.slice(path.length))
  const call = findWidgetCall(method, name, query, service)
  // The visitor's window, which fetches changed cookies, is at the service's own address.
  const mayRead = (origin: string) =>
    isPageOrigin(account, origin) || origin === call?.owned?.session.visit?.serviceOrigin
  const headers = new Headers(corsFields(fields, mayRead))
  const preflight = preflightFields(arrival, mayRead)
  if (preflight !== undefined) {
    for (const [field, value] of Object.entries(preflight)) headers.set(field, value)
    return new Response(null, { status: 204, headers })
  }
  const root = `http://${valuesOf(fields, 'host')[0] ?? ''}${prefix}`
  const resource =
    call === undefined ? findTestResource(name, query, root) : answerWidgetCall(call, arrival, account)
  if (resource === undefined && wantsPage(arrival, prefix)) return answerPage(arrival, account, headers)
  return answerResource(resource ?? ANY_OTHER, arrival, account, headers)
}

function answerResource(
  { status, fields, text, members }: TestResource,
  arrival: Arrival,
  account: Account,
  headers: Headers,
): Response {
  for (const [name, value] of fields) headers.append(name, value)
  if (text !== undefined) {
    headers.set('Content-Type', 'text/plain; charset=utf-8')
    return new Response(text, { status, headers })
  }
  // An answer to HEAD has no body, so the method is always in a field too.
  headers.set('Stand-In-Method', arrival.method)
  return Response.json(
    {
      standIn: 1,
      ...members,
      checks: verify(arrival.fields, account),
      listedUrls: verifiableUrls(arrival.fields, account),
      received: describeRequest(arrival, account),
    },
    { status, headers },
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
  const checks = judgeMisdirected(verify(arrival.fields, account), arrival.fields)
  return answerPage(arrival, account, new Headers(), 421, checks)
}

async function answerPage(
  arrival: Arrival,
  account: Account,
  headers: Headers,
  status: 200 | 421 = 200,
  checks = verify(arrival.fields, account),
): Promise<Response> {
  const { text, fields } = await renderVerificationPage({
    checks,
    listedUrls: verifiableUrls(arrival.fields, account),
    received: describeRequest(arrival, account),
  })
  for (const [name, value] of Object.entries(fields)) headers.set(name, value)
  return new Response(text, { status, headers })
}

function wantsPage({ method, path, fields }: Arrival, prefix: string): boolean {
  if (path !== prefix || (method !== 'GET' && method !== 'HEAD')) return false
  const accept = valuesOf(fields, 'accept').join(',').toLowerCase()
  return accept.includes('text/html') || !accept.includes('application/json')
}
