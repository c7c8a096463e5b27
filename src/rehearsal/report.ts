import { toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import { STOPS } from './ask-points.ts'
import { type CookieOutcome, REASONS } from './outcome.ts'
import type { Rehearsal } from './rehearse.ts'

/** The views in their order, with their titles and the files of their pictures. */
export const VIEWS = [
  ['visitor', 'The visitor', 'visitor.png'],
  ['withPoints', 'An agent, with points', 'with-points.png'],
  ['withoutPoints', 'An agent, without points', 'without-points.png'],
] as const

/** What a manager has to know. */
export function summarize({ comparison, points }: Rehearsal): string {
  if (comparison === undefined) return 'The browser was closed early: this is what was seen until then.'
  const { differ, isKept, isSignedOut } = comparison
  if (!differ)
    return `An agent sees ${isKept ? 'what the visitor sees' : 'less than the visitor'}, with and without continuation points.`
  const [them, noun] = points.length === 1 ? ['it', 'point'] : ['them', 'points']
  const start = `With ${NUMBERS[points.length] ?? points.length} continuation ${noun} an agent sees`
  if (!isKept) return `${start} more than without ${them}, but not all that the visitor sees.`
  return `${start} what the visitor sees; without ${them} ${isSignedOut ? 'the visitor is signed out' : 'the page is another one'}.`
}

/** Sentences that come first. */
export function listWarnings({ differences, points }: Rehearsal): readonly string[] {
  const stopped = points.flatMap(({ url, stops }) =>
    stops.map(({ page, stop }) => `From ${page} ${STOPS[stop]} ${url}.`),
  )
  return [...stopped, ...differences]
}

/** Where a cookie goes, by the numbers of the points, or why it goes nowhere. */
export function describeCookie(cookie: CookieOutcome, { points }: Rehearsal): string {
  const { attached, held, suggestion, isSet } = cookie
  if (!isSet) return 'not set in this visit'
  if (attached.length > 0)
    return `to ${attached.map((url) => points.findIndex((each) => each.url === url) + 1).join(', ')}`
  const reasons = [...new Set(held.map(({ reason }) => REASONS[reason]))].join('; ')
  return `${reasons || 'not asked'}${suggestion === undefined ? '' : `. It would come with ${suggestion}`}`
}

/** For a person at a terminal. */
export function renderRehearsal(rehearsal: Rehearsal, paint: Paint): string {
  const { pages, points, cookies, notes, made } = rehearsal
  const warnings = listWarnings(rehearsal)
  const width = Math.max(0, ...cookies.map(({ name }) => toPlainText(name).length))
  const lines = [
    ...warnings.slice(0, MOST).map((text) => `${paint('yellow', '!')} ${toPlainText(text)}`),
    ...(warnings.length > MOST ? [`  and ${warnings.length - MOST} more, in the report`] : []),
    ...[paint('bold', summarize(rehearsal)), ''],
    ...pages.map((url) => `page     ${toPlainText(url)}`),
    ...points.map(
      ({ url, status }, at) => `point ${at + 1}  ${url}${status === undefined ? '' : ` (${status})`}`,
    ),
    ...cookies.map((cookie) => {
      const { name, domain, path, httponly, attached, isLost } = cookie
      const mark = attached.length > 0 ? paint('green', '✔') : paint(isLost ? 'red' : 'yellow', '✖')
      const scope = toPlainText(`${domain}${path}${httponly ? ' httpOnly' : ''}`)
      return `${mark} ${toPlainText(name).padEnd(width)}  ${describeCookie(cookie, rehearsal)}  ${paint('dim', scope)}`
    }),
    ...[...notes, ...(typeof made === 'object' ? made.notes : [])].map(toPlainText),
  ]
  return `${lines.join('\n')}\n`
}

/** @param fileOf the path of a picture */
export function toJsonDocument(rehearsal: Rehearsal, fileOf: (name: string) => string, config?: string) {
  const { pages, points, cookies, views, comparison } = rehearsal
  return {
    schemaVersion: 1,
    pages,
    points: points.map(({ url, status, stops: [first] }) => ({ url, status, stop: first?.stop })),
    cookies: cookies.map(({ isSet, isLost, ...cookie }) => cookie),
    views:
      views &&
      Object.fromEntries(
        VIEWS.map(([key, , file]) => {
          const { lines, asksPassword, picture, ...view } = views[key]
          return [key, { ...view, picture: picture && fileOf(file) }]
        }),
      ),
    differ: comparison?.differ ?? false,
    config,
  }
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const MOST = 10
