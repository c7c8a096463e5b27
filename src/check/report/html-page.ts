import { createHash } from 'node:crypto'
import { toMarkup } from '../../text/escape.ts'
import { HTML_STYLE } from './html-style.ts'

interface Page {
  readonly kicker: string
  readonly headline: string
  /** A class of what is good or bad. */
  readonly tone?: string
  /** A line below the headline. */
  readonly counts: string
  readonly atMs: number
  /** Those without a body are left out. The body is markup, and so is the footer. */
  readonly sections: readonly (readonly [title: string, body: string, className: string])[]
  readonly footer: string
  readonly moreStyle?: string
}

/** A self-contained page without scripts, which fetches nothing: its policy allows its own style sheet and pictures. */
export function renderPage({ kicker, headline, counts, atMs, sections, footer, ...page }: Page): string {
  const style = `${HTML_STYLE}${page.moreStyle ?? ''}`
  const hash = createHash('sha256').update(style).digest('base64')
  const at = new Date(atMs).toISOString()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${toMarkup(headline)} · continuation points</title>
<style>${style}</style>
</head>
<body>
<header class="${page.tone ?? ''}">
<p class="kicker">${kicker}</p>
<h1>${toMarkup(headline)}</h1>
<p class="counts">${toMarkup(counts)}</p>
<p class="run"><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time></p>
</header>
<main>
${sections.map(renderSection).join('\n')}
</main>
<footer>${footer}</footer>
</body>
</html>
`
}

function renderSection([title, body, className]: Page['sections'][number]): string {
  if (body === '') return ''
  return `<section class="part"><h2>${title}</h2>\n<div class="${className}">\n${body}\n</div></section>`
}
