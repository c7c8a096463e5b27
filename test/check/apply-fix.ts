import type { Finding } from '../../src/check/finding.ts'
import type { CookieConfig } from '../../src/config/config.ts'

/** What the user edits. */
export interface Edited {
  readonly pages: readonly string[]
  readonly points: readonly string[]
  readonly cookies: readonly Partial<CookieConfig>[]
}

/**
 * Does what the fix of a finding says, to the letter: the first way of those that it offers. Else it throws.
 */
export function applyFix(edited: Edited, { subject, location, fix: offered }: Finding): Edited {
  const fix = (offered?.what ?? '').replace(/, or .*$/s, '').replace(/, else [^.]*/, '')
  const [, list = '', index = ''] = /^\/(\w+)\/(\d+)$/.exec(location?.pointer ?? '') ?? []
  const at = Number(index)
  let { pages, points, cookies } = edited
  let followed = 0
  const follow = (pattern: RegExp, change: (...words: readonly string[]) => void) => {
    for (const [, ...words] of fix.matchAll(pattern)) {
      followed += 1
      change(...words)
    }
  }
  follow(/\bRemove this point\b/g, () => {
    points = points.filter((_, number) => number !== at)
  })
  follow(/\bRemove this entry\b/g, () => {
    cookies = cookies.filter((_, number) => number !== at)
  })
  follow(/(https?:\/\/\S+) in place of (https?:\/\/[^\s,]+)/g, (next = '', old) => {
    pages = pages.map((page) => (new URL(page).href === old ? next : page))
    points = points.map((point) => (point === old ? next : point))
  })
  follow(/^(?:Write|Put it on the page's site, as in) (https?:\/\/[^\s,]+)(?! in place)/g, (url = '') => {
    if (list === 'points') points = points.with(at, url)
    if (list === 'pages') pages = pages.with(at, url)
  })
  follow(/\b[Aa]dd (https?:\/\/[^\s,]+)(?: to "points")/g, (url = '') => {
    points = [...new Set([...points, url])]
  })
  follow(/\bWrite ((?:"\w+": [^\s,]+(?:, )?)+)/g, (members = '') => {
    const next = { ...cookies[at], ...JSON.parse(`{${members.replace(/, $/, '')}}`) }
    cookies = cookies.with(at, next)
  })
  follow(/^Remove (.+) from "cookies"/g, (names = '') => {
    const gone = new Set(names.split(', '))
    cookies = cookies.filter(({ name = 'sid' }) => !gone.has(name))
  })
  follow(/\bRemove the cookie from "cookies"/g, () => {
    cookies = cookies.filter((_, number) => number !== at)
  })
  follow(/^Add "httponly": true to the cookies/g, () => {
    cookies = cookies.map((cookie) => ({ ...cookie, httponly: true }))
  })
  if (followed === 0) throw new Error(`Can't follow ${JSON.stringify(fix)} on ${JSON.stringify(subject)}`)
  return { pages, points, cookies }
}
