import { type Fields, valuesOf } from '../http/fields.ts'
import type { Point } from '../points/point.ts'
import type { Admission } from './admission.ts'
import { type AnswerPage, renderAnswerPage } from './answer-page.ts'
import { FAILURES, type Failure, type FailureKind } from './failure.ts'
import { PSEUDONYM } from './request.ts'

/** A complete response that we make ourselves. */
export interface Answer {
  readonly status: number
  readonly fields: string[]
  readonly body: string
}

/** What the form of the answer depends on. */
export interface Asker {
  readonly method: string
  /** Values of the Accept lines. */
  readonly accept: readonly string[]
  /** The point whose root was requested, if one was. */
  readonly pointRoot: Point | undefined
  /** What the request was addressed to, as far as it could be parsed. */
  readonly addressed?: Addressed | undefined
}

/** Authority and scheme of a request; `scheme` is known only from TLS or a trusted proxy. */
export interface Addressed {
  readonly authority: string
  readonly scheme: 'http' | 'https' | undefined
}

/** Who asked, as far as that is known at admission. */
export function toAsker(method: string, fields: Fields, { request, point }: Admission): Asker {
  const pointRoot = request?.target.path === point?.path ? point : undefined
  return { method, accept: valuesOf(fields, 'accept'), pointRoot, addressed: request }
}

/** The homepage in `package.json`, without a slash at its end; the build puts it in. */
declare const HOMEPAGE: string | undefined

/**
 * The answer for a failure: a problem document (RFC 9457), or a page for a browser. `id` is the exchange's id in the log.
 * Everything else comes from the failure table and the config, except for the request's authority and scheme. The page
 * shows both; the problem document does if no point owns the request, since then the front end got one of them wrong.
 * `help` refers to a heading of our documentation, below the homepage if the package has one.
 */
export function toAnswer(kind: FailureKind, id: string, asker: Asker): Answer {
  const { status, error, title, detail, next, retryAfterSeconds }: Failure = FAILURES[kind]
  const help = `${typeof HOMEPAGE === 'string' ? `${HOMEPAGE}/` : ''}docs/troubleshooting.md#${status}`
  const wantsPage =
    (asker.method === 'GET' || asker.method === 'HEAD') &&
    asker.accept.some((value) => /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|;|$))/i.test(value))
  const arrived = truncateArrived(asker.addressed)
  const body = wantsPage
    ? renderAnswerPage({ kind, status, title, detail, next, help, id, arrived, pointRoot: asker.pointRoot })
    : `${JSON.stringify({
        type: 'about:blank',
        status,
        title,
        detail: `${detail} ${next}`,
        code: kind,
        instance: id,
        help,
        arrived: error === 'destination_not_found' ? arrived : undefined,
      })}\n`
  const fields = [
    'Content-Type',
    wantsPage ? 'text/html; charset=utf-8' : 'application/problem+json',
    'Content-Length',
    String(new TextEncoder().encode(body).length),
    'Cache-Control',
    'no-store',
    'Proxy-Status',
    `${PSEUDONYM}; error=${error}`,
    'X-Content-Type-Options',
    'nosniff',
    'X-Request-Id',
    id,
  ]
  if (wantsPage) fields.push('Content-Security-Policy', PAGE_POLICY)
  if (status === 405) fields.push('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  if (retryAfterSeconds !== undefined) fields.push('Retry-After', String(retryAfterSeconds))
  return { status, fields, body }
}

/** A very long host is truncated. */
function truncateArrived(addressed: Addressed | undefined): AnswerPage['arrived'] {
  if (addressed === undefined) return undefined
  const { authority, scheme } = addressed
  return { authority: authority.slice(0, MOST_CHARACTERS), scheme: scheme ?? 'unknown' }
}

/** The redirect from a point's path without its last slash; the query is kept. */
export function redirectToSlash({ request, point }: Extract<Admission, { kind: 'redirect' }>): Answer {
  const { path, pathAndQuery } = request.target
  const location = `${point.origin}${point.path}${pathAndQuery.slice(path.length)}`
  return {
    status: 308,
    fields: ['Location', location, 'Content-Length', '0', 'Cache-Control', 'no-store'],
    body: '',
  }
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const MOST_CHARACTERS = 255
