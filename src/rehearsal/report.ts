import { renderPage } from '../check/report/html-page.ts'
import { toBreakable, toMarkup, toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import { count, shorten } from '../text/prose.ts'
import { REASONS } from './outcome.ts'
import type { Rehearsal } from './rehearse.ts'

/** For a person at a terminal. */
export function renderPretty(rehearsal: Rehearsal, paint: Paint): string {
  const { warnings, pages } = rehearsal
  const { tone, headline } = conclude(rehearsal)
  const lines = [
    ...shorten(warnings).map((text) => `${paint('yellow', '!')} ${toPlainText(text)}`),
    ...[paint(STYLES[tone], headline), ''],
    ...pages.map((url) => `page     ${toPlainText(url)}`),
    ...describe(rehearsal).map(
      ({ kind, head, rest }) => `${paint(STYLES[kind], toPlainText(head))}  ${toPlainText(rest)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** A page with the pictures in it. */
export function renderHtml(rehearsal: Rehearsal): string {
  const { warnings, pages, views } = rehearsal
  const figures = Object.entries(views ?? {}).map(([key, { url, title, status, picture }]) => {
    const who = VIEWERS[key as keyof typeof VIEWERS]
    const image = `<img alt="${toMarkup(`${who}: ${title}`)}" src="data:image/png;base64,${picture}">`
    const caption = `<b>${toMarkup(title || 'No title')}</b> ${status}<br>${toBreakable(url)}`
    return `<figure class="panel"><details><summary><h3>${who}</h3>${image}</summary></details><figcaption>${caption}</figcaption></figure>`
  })
  const items = describe(rehearsal).map(
    ({ kind, head, rest }) =>
      `<li class="${kind}"><span class="verdict">${toMarkup(head)}</span> ${toBreakable(rest)}</li>`,
  )
  return renderPage({
    kicker: 'Rehearsal of continuation points',
    ...conclude(rehearsal),
    atMs: Date.now(),
    counts: pages.join(' · '),
    sections: [
      ['Read this first', warnings.map((text) => `<p>${toMarkup(text)}</p>`).join('\n'), 'cause warning'],
      ['The page', figures.join('\n'), 'views'],
      ['Points and cookies', `<ul>${items.join('\n')}</ul>`, 'panel'],
    ],
    footer:
      '<p>Values of cookies are not in this file; the pictures show what the page shows. The service’s own browser may differ, and other browsers block more cookies.</p>',
    moreStyle: STYLE,
  })
}

/** @param fileOf the path of a view's picture */
export function toJsonDocument(rehearsal: Rehearsal, fileOf: (view: string) => string, config?: string) {
  const { pages, points, comparison } = rehearsal
  const cookies = rehearsal.cookies.map(({ isLost, ...cookie }) => cookie)
  const views = Object.entries(rehearsal.views ?? {}).map(([key, { url, title, status }]) => {
    return [key, { url, title, status, picture: fileOf(key) }]
  })
  const differ = comparison?.differ ?? false
  return { schemaVersion: 1, pages, points, cookies, views: Object.fromEntries(views), differ, config }
}

/** What a manager has to know, and how good it is. */
function conclude(rehearsal: Rehearsal) {
  const { isKept } = rehearsal.comparison ?? {}
  const lost = rehearsal.cookies.filter(({ isLost }) => isLost).length
  const isDoubtful = rehearsal.warnings.length > 0 || lost > 0
  const tone = isKept === false && lost > 0 ? 'not-sent' : isKept && !isDoubtful ? 'sent' : 'depends'
  const unsteady =
    isKept === false ? ' Compare the pictures: the page may change from one load to the next.' : ''
  const more = lost > 0 ? ` ${count(lost, 'cookie')} got to no point.` : unsteady
  return { tone, headline: `${SIGNS[tone]} ${summarize(rehearsal)}${more}` } as const
}

function summarize({ comparison, points }: Rehearsal): string {
  if (comparison === undefined) return NO_VIEWS
  const { differ, isKept, isSignedOut } = comparison
  if (!isKept) return 'Even with continuation points an agent sees another page than the visitor.'
  if (!differ) return 'An agent sees what the visitor sees, with and without continuation points.'
  const [them, noun] = points.length === 1 ? ['it', 'point'] : ['them', 'points']
  const others = isSignedOut ? 'a visitor who is signed out' : 'another page'
  return `With ${NUMBERS[points.length] ?? points.length} continuation ${noun} an agent sees what the visitor sees; without ${them} ${others}.`
}

/** The points, and where each cookie goes by their numbers, or why it goes nowhere; and how bad that is. */
function describe({ points, cookies }: Rehearsal) {
  const ofPoints = points.map(({ url, status }, at) => {
    const answer =
      status === 404
        ? 'is not set up yet (404)'
        : `answers ${status} today; run check to see whether that is the service`
    const rest = status === undefined ? url : `${url} ${answer}`
    return { kind: 'point', head: `point ${at + 1}`, rest } as const
  })
  const ofCookies = cookies.map(({ attached, held, suggestion, isLost, ...cookie }) => {
    const kind = attached.length > 0 ? 'sent' : isLost ? 'not-sent' : 'depends'
    const toNumber = (url: string) => points.findIndex((point) => point.url === url) + 1
    const numbers = attached.map(toNumber)
    const reasons = [...new Set(held.map(({ reason }) => reason))].map((reason) => {
      const at = held.flatMap((each) => (each.reason === reason ? toNumber(each.point) : []))
      return `${REASONS[reason][1]}${at.length < held.length ? ` (point${at.length > 1 ? 's' : ''} ${LIST.format(at.map(String))})` : ''}`
    })
    const other = suggestion === undefined ? [] : [`a point at ${suggestion} would carry it`]
    const hints = isLost || cookie.httponly ? other : ['where scripts can read it, the widget carries it']
    const nowhere = [...(held.length > 0 ? reasons : ['not set in this visit']), ...hints].join('; ')
    const reached = `the browser sends it to point${numbers.length > 1 ? 's' : ''} ${LIST.format(numbers.map(String))}`
    const { name, domain, path, httponly } = cookie
    const scope = `${domain}, Path=${path}${httponly ? ', HttpOnly' : ''}`
    return {
      kind,
      head: `${SIGNS[kind]} ${name}`,
      rest: `${kind === 'sent' ? reached : nowhere} (${scope})`,
    } as const
  })
  return [...ofPoints, ...ofCookies]
}

const LIST = new Intl.ListFormat('en-GB')
const NO_VIEWS =
  'The browser was closed early, or would not show the page again: this is what was seen until then.'
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const STYLES = { point: 'bold', sent: 'green', 'not-sent': 'red', depends: 'yellow' } as const
const SIGNS = { sent: '✔', 'not-sent': '✖', depends: '?' } as const
const VIEWERS = {
  visitor: 'The visitor',
  withPoints: 'An agent, with points',
  withoutPoints: 'An agent, without points',
}
const STYLE = `
.views { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: .875rem; }
.views figure { margin: 0; padding: .75rem; min-width: 0; }
.views figure:has([open]) { grid-column: 1 / -1; }
.views [open] { overflow: auto; }
.views [open] img { width: auto; }
.views h3 { display: inline; }
.views img { display: block; width: 100%; margin-top: .5rem; border: 1px solid var(--line); border-radius: .25rem; }
@media (min-width: 60rem) { header, main, footer { max-width: 80rem; } }
`
