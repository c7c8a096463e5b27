import { valuesOf } from '../../http/fields.ts'
import { NOT_STORED } from '../rest/reply.ts'
import { type Arrival, judgeCors } from '../state/arrival.ts'
import { type Account, listedUrls } from '../state/company.ts'
import type { SandboxState } from '../state/sandbox-state.ts'
import type { Session } from '../state/session.ts'
import { findTestResource } from './test-resource.ts'
import { inspectRequest } from './verification.ts'
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
  account: Account,
  { service, prefix }: Pick<SandboxState, 'service' | 'prefix'>,
): Promise<Response> {
  const { method, path, query, root } = arrival
  const name = path.slice(prefix.length)
  const call = findWidgetCall(method, name, query, service)
  // **Ours:** pages of the listed origins may read the answer, and of a widget's call the page where the session started.
  // The visitor's window, which fetches changed cookies, is at the service's own address.
  const { isPreflight, headers: cors } = judgeCors(
    arrival,
    (origin) => listedUrls(account, origin).length > 0 || originsOf(call?.session).includes(origin),
  )
  if (isPreflight) return new Response(null, { status: 204, headers: cors })
  const resource =
    call === undefined
      ? findTestResource(name, query, root + prefix)
      : answerWidgetCall(call, arrival, account)
  const inspected = inspectRequest(arrival, account)
  if (resource === undefined && wantsPage(arrival, prefix)) {
    const { text, fields } = await renderVerificationPage(inspected, prefix)
    return new Response(text, { headers: { ...cors, ...fields } })
  }
  const { status = 200, fields = Object.entries(NOT_STORED), members } = resource ?? {}
  const headers = new Headers(cors)
  for (const [field, value] of fields) headers.append(field, value)
  // An answer to HEAD has no body, so the method is always in a field too.
  headers.set('Stand-In-Method', method)
  return Response.json({ standIn: 1, ...members, ...inspected }, { status, headers })
}

function originsOf(session: Session | undefined): readonly string[] {
  const { visit, url } = session ?? {}
  return visit === undefined || url === undefined ? [] : [visit.serviceOrigin, new URL(url).origin]
}

function wantsPage({ method, path, fields }: Arrival, prefix: string): boolean {
  if (path !== prefix || (method !== 'GET' && method !== 'HEAD')) return false
  const accept = valuesOf(fields, 'accept').join(',').toLowerCase()
  return accept.includes('text/html') || !accept.includes('application/json')
}
