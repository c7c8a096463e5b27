import { renderPage } from '../check/report/html-page.ts'
import { toMarkup } from '../text/escape.ts'
import type { Rehearsal } from './rehearse.ts'
import { describeCookies, summarize } from './report.ts'
import type { View, Views } from './views.ts'

/** A page with the pictures in it. */
export function renderRehearsalHtml(rehearsal: Rehearsal, atMs: number): string {
  const { warnings, pages, points, views } = rehearsal
  const pointItems = points.map(
    ({ url, status }) => `<code>${toMarkup(url)}</code>${status ? ` answers ${status} today` : ''}`,
  )
  const cookieItems = describeCookies(rehearsal).map(
    ({ name, scope, kind, mark, fate }) =>
      `<span class="${kind}"><span class="verdict">${mark} ${toMarkup(name)}</span></span> ${toMarkup(fate)}<br><span class="place">${toMarkup(scope)}</span>`,
  )
  return renderPage({
    kicker: 'Rehearsal of continuation points',
    headline: summarize(rehearsal),
    atMs,
    counts: pages.join(' · '),
    sections: [
      ['Read this first', toList('ul', warnings.map(toMarkup)), 'cause warning'],
      ['The page', views === undefined ? '' : renderViews(views), 'views'],
      ['Points', toList('ol', pointItems), 'panel'],
      ['Cookies', toList('ul', cookieItems), 'panel'],
    ],
    footer:
      '<p>Values of cookies are not in this file; the pictures show what the page shows. The service’s own browser may differ, and other browsers block more cookies.</p>',
    moreStyle: STYLE,
  })
}

function renderViews({ visitor, withPoints, withoutPoints }: Views): string {
  return `${renderView('The visitor', visitor)}
${renderView('An agent, with points', withPoints)}
${renderView('An agent, without points', withoutPoints)}`
}

function renderView(title: string, { url, title: ofPage, status, picture }: View): string {
  const image = `<img alt="${toMarkup(`${title}: ${ofPage}`)}" src="data:image/png;base64,${picture}">`
  const caption = `<b>${toMarkup(ofPage || 'No title')}</b> ${status}<br>${toMarkup(url)}`
  return `<figure class="panel"><h3>${title}</h3>${image}<figcaption>${caption}</figcaption></figure>`
}

function toList(element: 'ol' | 'ul', items: readonly string[]): string {
  return items.length === 0
    ? ''
    : `<${element}>${items.map((item) => `<li>${item}</li>`).join('\n')}</${element}>`
}

const STYLE = `
.views { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: .875rem; }
.views figure { margin: 0; padding: .75rem; }
.views img { display: block; width: 100%; margin-top: .5rem; border: 1px solid var(--line); border-radius: .25rem; }
ol { margin: 0; padding-left: 1.5rem; }
@media (min-width: 60rem) { header, main, footer { max-width: 80rem; } }
`
