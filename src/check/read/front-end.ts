import { valuesOf } from '../../http/fields.ts'
import type { ProbeReply, ProbeResponse } from '../../probe/probe.ts'
import type { LiveFact } from './live-fact.ts'

/** `mounted`: `openPoints` in the user's own app. */
export type FrontEnd = 'nginx' | 'apache' | 'caddy' | 'haproxy' | 'mounted'

/**
 * The front end of a point, recognised by Server and Via fields and error pages. A server that the service's direct answers
 * name too is not taken for the front end.
 */
export function recogniseFrontEnd({ observations, direct }: LiveFact): FrontEnd | undefined {
  const own = [direct.kind === 'asked' ? direct.right : undefined, direct.bare].map(findName)
  const names = observations.flatMap(({ reply }) => findName(reply) ?? [])
  return names.find((name) => !own.includes(name))
}

function findName(reply: ProbeReply | undefined): FrontEnd | undefined {
  if (reply?.kind !== 'response') return undefined
  const said = [...valuesOf(reply.fields, 'server'), ...valuesOf(reply.fields, 'via')].join(' ')
  const page = reply.status >= 400 ? reply.body.slice(0, PAGE_CHARACTERS) : ''
  return MARKS.find(({ field, body }) => field.test(said) || body.test(page))?.name
}

/** Whether an answer is an error page that the front end itself made. */
export function isOwnErrorPage({ status, body }: ProbeResponse): boolean {
  return status >= 400 && MARKS.some((mark) => mark.body.test(body.slice(0, PAGE_CHARACTERS)))
}

const PAGE_CHARACTERS = 1000

const MARKS: readonly { readonly name: FrontEnd; readonly field: RegExp; readonly body: RegExp }[] = [
  { name: 'nginx', field: /nginx|openresty/i, body: /<center>(?:nginx|openresty)/i },
  { name: 'apache', field: /\bapache\b/i, body: /<address>Apache|DTD HTML 2\.0\/\/EN/ },
  { name: 'caddy', field: /\bcaddy\b/i, body: /^\b$/ },
  // HAProxy adds no field of its own, but all its error pages have this form.
  { name: 'haproxy', field: /\bhaproxy\b/i, body: /^<html><body><h1>\d{3} [\w -]+<\/h1>\n/ },
]
