import { spawn } from 'node:child_process'
import { EventEmitter, once, setMaxListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export type Chromium = Awaited<ReturnType<typeof startChromium>>

/**
 * Starts a browser with an empty profile, driven by the DevTools protocol through two pipes: to a port, others could connect.
 */
export async function startChromium(executable: string, flags: readonly string[], signal: AbortSignal) {
  const profile = await mkdtemp(join(tmpdir(), 'continuation-point-profile-'))
  const child = spawn(executable, [...FLAGS, ...flags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  /** Aborted when the browser ends, or has to. */
  const ended = new AbortController()
  const end = () => ended.abort()
  const exited = once(child, 'exit').then(end, end)
  signal.addEventListener('abort', end)
  // That a browser has ended is noticed by its exit.
  for (const pipe of [input, output]) pipe.on('error', () => {})
  const messages = new EventEmitter()
  setMaxListeners(Number.POSITIVE_INFINITY, messages, ended.signal)
  let rest: string[] = []
  // Each message is JSON that ends with a NUL.
  output.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\0')
    // A page may make its browser say more than a string can hold.
    if (rest.push(first) > MOST_PIECES) return end()
    for (const other of others) {
      const part = rest.join('')
      rest = [other]
      const { id, method, sessionId = '', params, ...answer } = JSON.parse(part)
      messages.emit(method === undefined ? `${id}` : `${sessionId} ${method}`, params ?? answer)
    }
  })
  let last = 0
  /** Calls a method. Rejects with a `BrowserFault`, after a deadline and once the browser has ended too. */
  const send = async <Result = unknown>(method: string, params: object = {}, sessionId?: string) => {
    last += 1
    const id = last
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    const answered = once(messages, `${id}`, { signal: AbortSignal.any([ended.signal, deadline]) })
    // The deadline is named below, since Node 20 forgets a timeout that only `any` knows.
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    const [{ result, error }] = await answered.catch((error: Error) => [{ error: deadline.reason ?? error }])
    if (error !== undefined) throw new BrowserFault(error.message)
    return result as Result
  }
  return {
    ...{ send, ended },
    on: (sessionId: string, event: string, listener: (parameters: EventParameters) => void) =>
      messages.on(`${sessionId} ${event}`, listener),
    /** Ends the browser, and removes its profile. */
    close: async () => {
      await send('Browser.close').catch(() => child.kill())
      setTimeout(() => child.kill('SIGKILL'), CLOSING_MS).unref()
      await exited
      await rm(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** The browser did not do what it was asked to, or has ended. */
export class BrowserFault extends Error {}

/** A cookie with its value, which goes from one profile of the browser into another, and nowhere else. */
export interface BrowserCookie extends Readonly<Record<'name' | 'domain' | 'path', string>> {
  readonly httpOnly: boolean
  readonly partitionKey?: object
}

/** What events of the protocol tell; each has some of it. */
export interface EventParameters {
  readonly frameId: string
  readonly name: string
  readonly requestId: string
  readonly request?: { readonly url: string }
  readonly statusCode?: number
  /** Those without reasons were attached to the request. */
  readonly associatedCookies?: readonly { cookie: BrowserCookie; blockedReasons: readonly string[] }[]
}

const FLAGS = [
  ...['--remote-debugging-pipe', '--no-startup-window', '--no-first-run', '--no-default-browser-check'],
  ...['--password-store=basic', '--use-mock-keychain', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
  // A document that was not loaded from the site would count as a public one, which may not ask an intranet.
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
]
const DEADLINE_MS = 30_000
/** Of at most 64 KiB each. */
const MOST_PIECES = 4_000
const CLOSING_MS = 5_000
