import { toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import { shorten } from '../text/prose.ts'
import { REASONS } from './outcome.ts'
import type { Rehearsal } from './rehearse.ts'

/** What a manager has to know. */
export function summarize({ comparison, points }: Rehearsal): string {
  if (comparison === undefined) return 'The browser was closed early: this is what was seen until then.'
  const { differ, isKept, isSignedOut } = comparison
  const what = isKept ? 'what the visitor sees' : 'less than the visitor'
  if (!differ) return `An agent sees ${what}, with and without continuation points.`
  const [them, noun] = points.length === 1 ? ['it', 'point'] : ['them', 'points']
  const start = `With ${NUMBERS[points.length] ?? points.length} continuation ${noun} an agent sees`
  if (!isKept) return `${start} more than without ${them}, but not all that the visitor sees.`
  return `${start} ${what}; without ${them} ${isSignedOut ? 'the visitor is signed out' : 'the page is another one'}.`
}

/** Where each cookie goes, by the numbers of the points, or why it goes nowhere; and how bad that is. */
export function describeCookies({ cookies, points }: Rehearsal) {
  return cookies.map(({ name, domain, path, httponly, attached, held, suggestion, expected, isLost }) => {
    const kind: keyof typeof COLOURS = attached.length > 0 ? 'sent' : isLost ? 'not-sent' : 'depends'
    const scope = `${domain}${path}${httponly ? ' httpOnly' : ''}, check says ${expected}`
    const numbers = attached.map((url) => points.findIndex((point) => point.url === url) + 1)
    const reasons = [...new Set(held.map(({ reason }) => REASONS[reason][1]))].join('; ')
    const hint = suggestion === undefined ? '' : `. It would come with ${suggestion}`
    const nowhere = `${reasons || 'not set in this visit'}${hint}`
    const [mark, fate] = kind === 'sent' ? ['✔', `to point ${numbers.join(' and ')}`] : ['✖', nowhere]
    return { name, scope, kind, mark, fate }
  })
}

/** For a person at a terminal. */
export function renderRehearsal(rehearsal: Rehearsal, paint: Paint): string {
  const { warnings, pages, points, notes, made } = rehearsal
  const lines = [
    ...shorten(warnings).map((text) => `${paint('yellow', '!')} ${toPlainText(text)}`),
    ...[paint('bold', summarize(rehearsal)), ''],
    ...pages.map((url) => `page     ${toPlainText(url)}`),
    ...points.map(({ url, status }, at) => `point ${at + 1}  ${url}${status ? ` (${status})` : ''}`),
    ...describeCookies(rehearsal).map(
      ({ name, scope, kind, mark, fate }) =>
        `${paint(COLOURS[kind], mark)} ${toPlainText(name)}  ${fate}  ${paint('dim', toPlainText(scope))}`,
    ),
    ...[...notes, ...(typeof made === 'object' ? made.notes : [])].map(toPlainText),
  ]
  return `${lines.join('\n')}\n`
}

/** @param fileOf the path of a view's picture */
export function toJsonDocument(rehearsal: Rehearsal, fileOf: (view: string) => string, config?: string) {
  const { pages, points, comparison } = rehearsal
  const cookies = rehearsal.cookies.map(({ expected, isLost, ...cookie }) => cookie)
  const views = Object.entries(rehearsal.views ?? {}).map(([key, { url, title, status }]) => {
    return [key, { url, title, status, picture: fileOf(key) }]
  })
  const differ = comparison?.differ ?? false
  return { schemaVersion: 1, pages, points, cookies, views: Object.fromEntries(views), differ, config }
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const COLOURS = { sent: 'green', 'not-sent': 'red', depends: 'yellow' } as const
