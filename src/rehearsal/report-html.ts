import { renderPage } from '../check/report/html-page.ts'
import { toMarkup } from '../text/escape.ts'
import type { Rehearsal } from './rehearse.ts'
import { describeCookies, summarize } from './report.ts'
import type { View } from './views.ts'

/** A page with the pictures in it. */
export function renderRehearsalHtml(rehearsal: Rehearsal, atMs: number): string {
  const { warnings, pages, points, views } = rehearsal
  const figures =
    views === undefined
      ? []
      : [
          renderView('The visitor', views.visitor),
          renderView('An agent, with points', views.withPoints),
          renderView('An agent, without points', views.withoutPoints),
        ]
  const pointItems = points.map(
    ({ url, status }) => `<li><code>${toMarkup(url)}</code>${status ? ` answers ${status} today` : ''}</li>`,
  )
  const cookieItems = describeCookies(rehearsal).map(
    ({ name, scope, kind, mark, fate }) =>
      `<li class="${kind}"><span class="verdict">${mark} ${toMarkup(name)}</span> ${toMarkup(fate)}<br><span class="place">${toMarkup(scope)}</span></li>`,
  )
  return renderPage({
    kicker: 'Rehearsal of continuation points',
    headline: summarize(rehearsal),
    atMs,
    counts: pages.join(' · '),
    sections: [
      [
        'Read this first',
        toList(
          'ul',
          warnings.map((text) => `<li>${toMarkup(text)}</li>`),
        ),
        'cause warning',
      ],
      ['The page', figures.join('\n'), 'views'],
      ['Points', toList('ol', pointItems), 'panel'],
      ['Cookies', toList('ul', cookieItems), 'panel'],
    ],
    footer:
      '<p>Values of cookies are not in this file; the pictures show what the page shows. The service’s own browser may differ, and other browsers block more cookies.</p>',
    moreStyle: STYLE,
  })
}

function renderView(title: string, { url, title: ofPage, status, picture }: View): string {
  const image = `<img alt="${toMarkup(`${title}: ${ofPage}`)}" src="data:image/png;base64,${picture}">`
  const caption = `<b>${toMarkup(ofPage || 'No title')}</b> ${status}<br>${toMarkup(url)}`
  return `<figure class="panel"><h3>${title}</h3>${image}<figcaption>${caption}</figcaption></figure>`
}

function toList(element: 'ol' | 'ul', items: readonly string[]): string {
  return items.length === 0 ? '' : `<${element}>\n${items.join('\n')}\n</${element}>`
}

const STYLE = `
.views { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: .875rem; }
.views figure { margin: 0; padding: .75rem; }
.views img { display: block; width: 100%; margin-top: .5rem; border: 1px solid var(--line); border-radius: .25rem; }
ol { margin: 0; padding-left: 1.5rem; }
@media (min-width: 60rem) { header, main, footer { max-width: 80rem; } }
`
