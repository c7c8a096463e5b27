import { setTimeout as wait } from 'node:timers/promises'
import { valuesOf } from '../http/fields.ts'
import { answerContinuation } from './continuation/continuation-end.ts'
import { answerRest } from './rest/answer-rest.ts'
import { type Reply, refused } from './rest/reply.ts'
import { API_ROOT, accountOf, type SandboxState } from './seed/sandbox-state.ts'
import { answerSessionLink, isSessionLink } from './session/session-links.ts'
import type { ServiceRequest } from './wire/arrival.ts'

/**
 * Answers as the service: first the rate limit, then failures that a test forces, then by path.
 *
 * @param prefix path segment of the continuation end, with both slashes
 */
export async function answerArrival(
  request: ServiceRequest,
  state: SandboxState,
  prefix: string,
): Promise<Response> {
  const { method, path, target, fields } = request.arrival
  const limited = isRest(path) ? countCall(request.address, state) : undefined
  const early = limited ?? (await forceFailure(method, path, state))
  if (early !== undefined) return buildResponse(early)
  if (isRest(path)) return buildResponse(answerCall(request, state))
  if (isSessionLink(path)) {
    const query = new URLSearchParams(target.slice(path.length))
    return answerSessionLink(method, path, query, state.service, state.clock.nowMs())
  }
  if (!path.startsWith(prefix)) return new Response(nothingHere(prefix), { status: 404 })
  const account = accountOf(state, valuesOf(fields, 'x-widget-key'))
  return answerContinuation(request.arrival, prefix, account, state.service)
}

export function isRest(path: string): boolean {
  return path.startsWith(`${API_ROOT}/`)
}

function countCall(address: string, { rateLimit, clock }: SandboxState): Reply | undefined {
  const waitSeconds = rateLimit.count(address, clock.nowMs())
  if (waitSeconds === undefined) return undefined
  return {
    ...refused(429, { rate: [`Too many calls in this minute; try again in ${waitSeconds} s.`] }),
    headers: { 'Retry-After': String(waitSeconds) },
  }
}

async function forceFailure(
  method: string,
  path: string,
  { failures, options: { closing } }: SandboxState,
): Promise<Reply | undefined> {
  const failure = failures.take(method, path)
  if (failure === undefined) return undefined
  // Closing ends the wait; the connection is closed by then.
  await wait(failure.delayMs, undefined, { signal: closing }).catch(() => {})
  const { status } = failure
  if (status === undefined) return undefined
  if (status === 204 || status === 205 || status === 304) return { status }
  const reply = refused(status, { forced: ['A test made the stand-in fail here.'] })
  return status === 429 || status === 503 ? { ...reply, headers: { 'Retry-After': '1' } } : reply
}

function answerCall(request: ServiceRequest, { service, clock, deliveries }: SandboxState): Reply {
  const reply = answerRest(request, API_ROOT, service, clock.nowMs())
  for (const event of reply.events ?? []) deliveries.send(event)
  return reply
}

/** No answer of the service may be stored. */
export function buildResponse({ status, json, text, headers = {} }: Reply): Response {
  const common = { 'Cache-Control': 'no-store', ...headers }
  if (json !== undefined) return Response.json(json, { status, headers: common })
  if (text === undefined) return new Response(null, { status, headers: common })
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...common } })
}

function nothingHere(prefix: string): string {
  return `Nothing is here. This stand-in service has its continuation end at ${prefix} and its REST API at ${API_ROOT}/\n`
}
