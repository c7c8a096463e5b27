import { expect } from 'vitest'
import type { VisitStart } from '../../../src/sandbox/state/visit.ts'
import { type Answer, ask } from './ask.ts'

/** What a widget gets that starts a session. */
export interface Started {
  readonly session: string
  readonly formatted_id: string
  readonly pin: string
  readonly queued: boolean
  readonly leader_link: string
  readonly follower_link: string
  /** Of the visitor's window. */
  readonly url: string
  readonly points: readonly string[]
}

/**
 * Browsers at the pages of a stand-in's sessions.
 *
 * @param start what the widget sends on a page, but for its key
 */
export function visitorOf(sandboxUrl: string, start: VisitStart) {
  const { host } = new URL(sandboxUrl)
  const send = (path: string, type: string, body: string, fields: Readonly<Record<string, string>> = {}) =>
    ask(sandboxUrl, path, { method: 'POST', headers: { Host: host, 'Content-Type': type, ...fields }, body })
  /** The answer to a widget that starts a session. */
  const begin = (changed: object = {}, Host = host) => {
    const body = JSON.stringify({ widgetKey: 'demo-widget-key', ...start, ...changed })
    const { origin } = new URL(start.pageUrl)
    return send('/_widget/sessions', 'application/json', body, { Host, Origin: origin })
  }
  return {
    begin,
    start: async (changed: object = {}, Host = host): Promise<Started> => {
      const { status, text } = await begin(changed, Host)
      expect(status).toBe(201)
      return JSON.parse(text)
    },
    /** Opens an address, or a path and query. */
    open: (address: string) => ask(sandboxUrl, toTarget(address)),
    /** Opens a link of a session, and returns the path of the new window. */
    enter: async (link: string) => String((await ask(sandboxUrl, toTarget(link))).headers.location),
    press: (button: string): Promise<Answer> =>
      ask(sandboxUrl, button, { method: 'POST', headers: { Host: host, 'Content-Length': '0' } }),
    joinByPin: (fields: Readonly<Record<string, string>>) =>
      send('/join', 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString()),
  }
}

function toTarget(address: string): string {
  const { pathname, search } = new URL(address, 'http://127.0.0.1')
  return pathname + search
}
