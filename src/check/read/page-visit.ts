import { canParseUrl } from '../../http/can-parse-url.ts'
import { listMembers, valuesOf } from '../../http/fields.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { toSite } from '../../site/site.ts'
import { type PageMarkup, readMarkup } from './page-markup.ts'
import { redirectLocation } from './redirect.ts'
import { describeReply, valuesIn } from './reply.ts'
import { withoutCookieValue } from './shown-text.ts'
import { readWidget, type WidgetMarks, type WidgetSign } from './widget-sign.ts'

/** One answer on the way to a page. */
export interface PageStep {
  readonly url: string
  readonly reply: ProbeReply
}

/** What a visitor who opens a page of the site gets. Scripts are not run. */
export type PageVisit = { readonly cookies: readonly SentCookie[] } & (
  | {
      readonly kind: 'response'
      /** Where the redirects of the site led; usually the page itself. */
      readonly url: string
      readonly status: number
      /** Its content security policies, from the field and from meta elements, as written. */
      readonly policies: readonly string[]
      readonly widget: WidgetSign
    }
  /** A redirect that was not followed. `to`: the URL that it names. */
  | { readonly kind: 'redirect'; readonly to: string; readonly end: RedirectEnd }
  /** `why`: a clause. `isConclusive`: whether it is about the page, not about the network on the way to it. */
  | { readonly kind: 'none'; readonly why: string; readonly isConclusive: boolean }
)

type RedirectEnd = 'other-site' | 'circle' | 'too-many'

/** A Set-Cookie line without its value, and the URL that sent it. */
interface SentCookie {
  readonly url: string
  readonly line: string
}

/** Where a redirect leads; `undefined` if the answer is not a redirect. */
export function findNextUrl({ url, reply }: PageStep): string | undefined {
  const location = redirectLocation(reply)
  if (location === undefined || !canParseUrl(location, url)) return undefined
  const next = new URL(location, url)
  next.hash = ''
  return /^https?:$/.test(next.protocol) ? next.href : undefined
}

/** Why a redirect is not followed; `undefined` if it is. */
export function findEnd(steps: readonly PageStep[], next: string): RedirectEnd | undefined {
  const first = steps[0]?.url ?? next
  if (toSite(new URL(next).hostname) !== toSite(new URL(first).hostname)) return 'other-site'
  if (steps.some(({ url }) => url === next)) return 'circle'
  return steps.length > MOST_REDIRECTS ? 'too-many' : undefined
}

/** Reads the last answer, and the cookies of all answers. */
export function summarizeVisit(steps: readonly [PageStep, ...PageStep[]], marks: WidgetMarks): PageVisit {
  const last = steps.at(-1) ?? steps[0]
  const { url, reply } = last
  const cookies = steps.flatMap((step) =>
    valuesIn(step.reply, 'set-cookie').map((line) => ({ url: step.url, line: withoutCookieValue(line, '') })),
  )
  const to = findNextUrl(last)
  const end = to === undefined ? undefined : findEnd(steps, to)
  if (to !== undefined && end !== undefined) return { kind: 'redirect', to, end, cookies }
  if (reply.kind === 'none') {
    const isConclusive = reply.cause !== 'timeout' && reply.cause !== 'unroutable'
    const why =
      steps.length === 1
        ? describeReply(reply)
        : `it redirects to ${new URL(url).origin}, and there ${describeReply(reply)}`
    return { kind: 'none', why, isConclusive, cookies }
  }
  const { status, fields, body } = reply
  const markup = readMarkup(body)
  return {
    kind: 'response',
    url,
    status,
    // Content Security Policy 3, section 2.2: a field is a list of policies.
    policies: [...listMembers(valuesOf(fields, 'content-security-policy')), ...findMetaPolicies(markup)],
    widget: readWidget(new URL(url), markup, marks),
    cookies,
  }
}

/** HTML Standard, http-equiv with the state "Content security policy". */
function findMetaPolicies({ metas }: PageMarkup): readonly string[] {
  const own = metas.filter(
    (each) => each.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy',
  )
  return own.flatMap((each) => each.get('content') ?? [])
}

const MOST_REDIRECTS = 5
