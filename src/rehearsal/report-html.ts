import { createHash } from 'node:crypto'
import { HTML_STYLE } from '../check/report/html-style.ts'
import { toMarkup } from '../text/escape.ts'
import type { CookieOutcome } from './outcome.ts'
import type { Rehearsal } from './rehearse.ts'
import { describeCookie, listWarnings, summarize, VIEWS } from './report.ts'
import type { View } from './views.ts'

/** One page with its pictures in it: no script, no network. */
export function renderRehearsalHtml(rehearsal: Rehearsal, atMs: number): string {
  const { pages, points, cookies, views } = rehearsal
  const headline = toMarkup(summarize(rehearsal))
  const warnings = listWarnings(rehearsal)
  const at = new Date(atMs).toISOString()
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${headline}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="kicker">Rehearsal of continuation points</p>
<h1>${headline}</h1>
<p class="run"><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time> · ${pages.map(toMarkup).join(' · ')}</p>
</header>
<main>
${warnings.length === 0 ? '' : `<section class="part"><h2>Read this first</h2><ul class="cause warning">${warnings.map((text) => `<li>${toMarkup(text)}</li>`).join('')}</ul></section>`}
${views === undefined ? '' : `<section class="part views" aria-label="The page">${VIEWS.map(([key, title]) => renderView(title, views[key])).join('\n')}</section>`}
<section class="part"><h2>Points</h2><ol class="panel">${points.map(({ url, status }) => `<li><code>${toMarkup(url)}</code>${status === undefined ? '' : ` answers ${status} today`}</li>`).join('')}</ol></section>
<section class="part"><h2>Cookies</h2><div class="panel scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Domain</th><th scope="col">Path</th><th scope="col">Read by</th><th scope="col">Comes along?</th></tr></thead>
<tbody>
${cookies.map((cookie) => renderRow(cookie, rehearsal)).join('\n')}
</tbody></table></div></section>
</main>
<footer><p>Values of cookies are not in this file; the pictures show what the page shows. The service’s own browser may differ, and other browsers block more cookies.</p></footer>
</body>
</html>
`
}

function renderView(title: string, { url, title: ofPage, status, picture }: View): string {
  const image =
    picture === undefined
      ? '<p>No picture could be made.</p>'
      : `<img alt="${toMarkup(`${title}: ${ofPage}`)}" src="data:image/png;base64,${picture}">`
  return `<figure class="panel"><h2>${title}</h2>${image}<figcaption><b>${toMarkup(ofPage || 'No title')}</b> ${status ?? ''}<br>${toMarkup(url)}</figcaption></figure>`
}

function renderRow(cookie: CookieOutcome, rehearsal: Rehearsal): string {
  const { name, domain, path, httponly, attached, isLost } = cookie
  const [kind, mark] = attached.length > 0 ? ['sent', '✔'] : [isLost ? 'not-sent' : 'depends', '✖']
  return `<tr class="${kind}"><td>${toMarkup(name)}</td><td>${toMarkup(domain)}</td><td>${toMarkup(path)}</td><td>${httponly ? 'server (httpOnly)' : 'scripts too'}</td><td><span class="verdict">${mark}</span> ${toMarkup(describeCookie(cookie, rehearsal))}</td></tr>`
}

const STYLE = `${HTML_STYLE}
.views { display: grid; grid-template-columns: repeat(3, 1fr); gap: .875rem; margin-top: 1.5rem; }
.views figure { margin: 0; padding: .75rem; }
.views h2 { margin: 0 0 .5rem; font-size: .9375rem; }
.views img { display: block; width: 100%; border: 1px solid var(--line); border-radius: .25rem; }
ol.panel { margin: 0; padding-left: 2.5rem; list-style: decimal; }
@media (min-width: 60rem) { header, main, footer { max-width: 80rem; } }
@media (max-width: 48rem) { .views { grid-template-columns: 1fr; } }
`
