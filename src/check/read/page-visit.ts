import { listMembers, valuesOf } from '../../http/fields.ts'
import { parseUrl } from '../../http/url.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { toSite } from '../../site/site.ts'
import { type PageMarkup, readMarkup } from './page-markup.ts'
import { redirectLocation } from './redirect.ts'
import { describeReply, valuesIn, withoutCookieValue } from './reply.ts'
import { readWidget, type WidgetMarks } from './widget-sign.ts'

/** What a visitor who opens a page of the site gets. Scripts are not run. */
export type PageVisit = { readonly cookies: ReturnType<typeof readCookies> } & (
  | ReturnType<typeof readLastAnswer>
  /** A redirect that was not followed. `to`: the URL that it names. */
  | { readonly kind: 'redirect'; readonly to: string; readonly end: NonNullable<ReturnType<typeof findEnd>> }
)

/** Where a redirect leads; `undefined` if the answer is not a redirect. */
export function findNextUrl(url: string, reply: ProbeReply): string | undefined {
  const location = redirectLocation(reply)
  const next = location === undefined ? undefined : parseUrl(location, url)
  if (next === undefined) return undefined
  next.hash = ''
  return /^https?:$/.test(next.protocol) ? next.href : undefined
}

/** Why a redirect is not followed; `undefined` if it is. */
export function findEnd(visited: readonly [string, ...string[]], next: string) {
  if (toSite(new URL(next).hostname) !== toSite(new URL(visited[0]).hostname)) return 'other-site'
  if (visited.includes(next)) return 'circle'
  return visited.length > MOST_REDIRECTS ? 'too-many' : undefined
}

/** The Set-Cookie lines of an answer without their values, and the URL that sent them. */
export function readCookies(url: string, reply: ProbeReply) {
  return valuesIn(reply, 'set-cookie').map((line) => ({ url, line: withoutCookieValue(line, () => '') }))
}

/** Reads the last answer, of the page itself or of where it redirects to. */
export function readLastAnswer(url: string, reply: ProbeReply, isRedirected: boolean, marks: WidgetMarks) {
  if (reply.kind === 'none') {
    const isConclusive = !['timeout', 'unroutable', 'gave-up'].includes(reply.cause)
    const there = isRedirected ? `it redirects to ${new URL(url).origin}, and there ` : ''
    /** `why`: a clause. `isConclusive`: whether it is about the page, not about the network on the way to it. */
    return { kind: 'none', why: `${there}${describeReply(reply)}`, isConclusive } as const
  }
  const { status, fields, body, fault, isCut } = reply
  // What a byte order mark of UTF-16, or `<` in it, is in UTF-8.
  const isWide = /^(?:\ufffd\ufffd|<\0|\0<)/.test(body)
  const markup = readMarkup(body)
  return {
    kind: 'response',
    url,
    status,
    /** Why not all of its HTML was read, as a clause. */
    unread: fault ?? (isCut ? 'only its beginning was read' : isWide ? 'it is in UTF-16' : undefined),
    // Content Security Policy 3, section 2.2: a field is a list of policies.
    policies: [...listMembers(valuesOf(fields, 'content-security-policy')), ...findMetaPolicies(markup)],
    widget: readWidget(new URL(url), markup, marks),
  } as const
}

/** HTML Standard, http-equiv with the state "Content security policy". */
function findMetaPolicies({ metas }: PageMarkup): readonly string[] {
  const own = metas.filter(
    (each) => each.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy',
  )
  return own.flatMap((each) => each.get('content') ?? [])
}

const MOST_REDIRECTS = 5
