import { randomBytes } from 'node:crypto'
import { html, raw } from 'hono/html'
import { STYLESHEET } from './stylesheet.ts'

/** Markup whose interpolated values are escaped. */
export type Markup = ReturnType<typeof html>

export interface Content {
  readonly title: string
  readonly main: Markup
}

export interface Page extends Content {
  /** Whose page it is, at its top; default: the service's, a stand-in. */
  readonly owner?: string
  readonly tag?: string
  readonly nav?: Markup
  readonly footer: Markup
  /** The page's script, run once the body is parsed. */
  readonly script: string
  /** Rules in addition to the common look. */
  readonly style?: string
  /** `data-look` of the body, for those rules. */
  readonly look?: string
}

/** What a page's policy allows besides its own origin: requests of its script, and who frames it. */
export interface Reach {
  readonly connect?: readonly string[]
  readonly framedBy?: '*'
}

/** A whole HTML document in the stand-in's look, which loads nothing, and the fields of its answer. */
export async function renderDocument(
  {
    title,
    owner = 'Co-browsing service',
    tag = 'stand-in',
    nav,
    main,
    footer,
    script,
    style = '',
    look,
  }: Page,
  { connect = [], framedBy }: Reach = {},
) {
  const nonce = randomBytes(16).toString('base64')
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style nonce="${nonce}">${raw(STYLESHEET + style)}</style>
</head>
<body${look === undefined ? '' : html` data-look="${look}"`}>
<header class="bar"><span class="mark" aria-hidden="true"></span>
<strong>${owner}</strong><span class="tag">${tag}</span>${nav ?? ''}</header>
<main>${main}</main>
<footer><p>${footer}</p></footer>
<script nonce="${nonce}">${raw(script)}</script>
</body>
</html>
`
  const fields = {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    // Nothing is loaded, and requests go only to its reach.
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'self'",
      "frame-src 'self'",
      `connect-src ${[...new Set(["'self'", ...connect])].join(' ')}`,
      `frame-ancestors ${framedBy ?? "'none'"}`,
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
  return { text, fields }
}

/** JSON for a `<script type="application/json">`: no `<`, so nothing in it can end the element. */
export function toScriptJson(value: unknown): Markup {
  return raw(JSON.stringify(value).replaceAll('<', '\\u003c'))
}

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='3' y='3' width='18' height='18' rx='5' fill='%230f766e'/><rect x='11' y='11' width='18' height='18' rx='5' fill='%2314b8a6'/></svg>"
