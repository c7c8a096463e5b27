import { spawn } from 'node:child_process'
import { EventEmitter, once, setMaxListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { ScopeText } from '../site/cookie-scope.ts'

export interface BrowserSettings {
  readonly executable: string
  /** `--headless`, `--no-sandbox` and the like. */
  readonly flags: readonly string[]
  /** Ends the browser early. */
  readonly signal: AbortSignal
}

/** A browser with an empty profile. It is driven through two pipes: to a port, other users of the machine could connect. */
export type Chromium = Exclude<Awaited<ReturnType<typeof startChromium>>, undefined>

/** @returns `undefined` if it does not start */
export async function startChromium({ executable, flags, signal }: BrowserSettings) {
  const profile = await mkdtemp(join(tmpdir(), 'continuation-point-profile-'))
  const child = spawn(executable, [...FLAGS, ...flags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  /** Aborted when the browser ends, or has to. */
  const ended = new AbortController()
  const end = () => ended.abort()
  const exited = once(child, 'exit').then(end, end)
  signal.addEventListener('abort', end)
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const protocol = connect(input, output, ended.signal)
  /** Ends the browser, and removes its profile. */
  const close = async () => {
    await protocol.send('Browser.close').catch(() => child.kill())
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS)
    await exited
    clearTimeout(timer)
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
  if (await protocol.send('Browser.getVersion').catch(() => undefined)) return { ...protocol, ended, close }
  end()
  await close()
  return undefined
}

/** The browser did not do what it was asked to. */
export class BrowserFault extends Error {}

export type CookieKey = Pick<ScopeText, 'name' | 'domain' | 'path'>

/** What events of the DevTools protocol tell; each has some of it. */
export interface EventParameters {
  readonly frameId: string
  readonly name: string
  readonly requestId: string
  readonly request: { readonly url: string }
  readonly statusCode: number
  /** Those without reasons were attached to the request. */
  readonly associatedCookies: readonly { readonly cookie: CookieKey; readonly blockedReasons: string[] }[]
}

/** Speaks the DevTools protocol: JSON messages, each of which ends with a NUL. */
function connect(input: Writable, output: Readable, ended: AbortSignal) {
  const messages = new EventEmitter()
  setMaxListeners(Number.POSITIVE_INFINITY, messages, ended)
  let rest = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    const parts = text.split('\0')
    parts[0] = `${rest}${parts[0]}`
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const { id, method, sessionId = '', params, ...answer } = JSON.parse(part)
      messages.emit(method === undefined ? `${id}` : `${sessionId} ${method}`, params ?? answer)
    }
  })
  // That a browser has ended is noticed by its exit.
  for (const pipe of [input, output]) pipe.on('error', () => {})
  let last = 0
  return {
    /** Calls a method. Rejects with the browser's message, after a deadline, and once the browser has ended. */
    send: async <Result = unknown>(method: string, params: object = {}, sessionId?: string) => {
      last += 1
      const id = last
      const answered = once(messages, `${id}`, { signal: ended })
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      const late = { error: { message: `${method} took too long` } }
      const timer = setTimeout(() => messages.emit(`${id}`, late), DEADLINE_MS)
      const [{ result, error }] = await answered.finally(() => clearTimeout(timer))
      if (error !== undefined) throw new BrowserFault(error.message)
      return result as Result
    },
    on: (event: string, listener: (parameters: EventParameters) => void, sessionId: string) => {
      messages.on(`${sessionId} ${event}`, listener)
    },
  }
}

const FLAGS = [
  ...['--remote-debugging-pipe', '--no-startup-window', '--no-first-run', '--no-default-browser-check'],
  ...['--password-store=basic', '--use-mock-keychain', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
  // A document that was not loaded from the site would count as a public one, which may not ask an intranet.
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
]
const DEADLINE_MS = 30_000
const CLOSING_MS = 5_000
