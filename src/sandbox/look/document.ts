import { html, raw } from 'hono/html'
import { STYLESHEET } from './stylesheet.ts'

/** Markup whose interpolated values are escaped. */
export type Markup = ReturnType<typeof html>

export interface Page {
  readonly title: string
  /** For the inline stylesheet and script, and the Content-Security-Policy. */
  readonly nonce: string
  readonly body: Markup
  /** The page's script, run once the body is parsed. */
  readonly script: string
  /** Rules in addition to the common look. */
  readonly style?: string
  /** `data-` attributes of the body by name, for those rules. */
  readonly data?: Readonly<Record<string, string>>
}

/** A whole HTML document in the stand-in's look, without any external resource. */
export async function renderDocument({
  title,
  nonce,
  body,
  script,
  style = '',
  data = {},
}: Page): Promise<string> {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style nonce="${nonce}">${raw(STYLESHEET + style)}</style>
</head>
<body${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
${body}
<script nonce="${nonce}">${raw(script)}</script>
</body>
</html>
`
}

/** What a page may connect to. */
export interface Reach {
  /** Origins that its script requests. */
  readonly connect?: readonly string[]
  /** Where its forms are sent. */
  readonly form?: "'self'"
  /** What it shows in frames. */
  readonly frame?: "'self'"
  /** Who may frame it. */
  readonly framedBy?: '*'
}

/** The fields of an answer with such a document: its policy, and that it is not stored. */
export function pageFields(
  nonce: string,
  { connect = [], form, frame, framedBy }: Reach = {},
): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    // Nothing is loaded, and requests go only to its reach.
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      'img-src data:',
      "base-uri 'none'",
      `form-action ${form ?? "'none'"}`,
      ...(frame === undefined ? [] : [`frame-src ${frame}`]),
      ...(connect.length === 0 ? [] : [`connect-src ${[...new Set(connect)].join(' ')}`]),
      `frame-ancestors ${framedBy ?? "'none'"}`,
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

/** JSON for a `<script type="application/json">`: no `<`, so nothing in it can end the element. */
export function toScriptJson(value: unknown): Markup {
  return raw(JSON.stringify(value).replaceAll('<', '\\u003c'))
}

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='3' y='3' width='18' height='18' rx='5' fill='%230f766e'/><rect x='11' y='11' width='18' height='18' rx='5' fill='%2314b8a6'/></svg>"
