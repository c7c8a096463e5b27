import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export interface BrowserSettings {
  readonly executable: string
  readonly isHeadless: boolean
  readonly hasSandbox: boolean
  /** Of keys that are trusted without a known certificate: SHA-256 of the SubjectPublicKeyInfo, in base64. */
  readonly keyHashes: readonly string[]
  /** Ends the browser early. */
  readonly signal: AbortSignal
}

/** A browser with an empty profile. It is driven through two pipes: to a port, other users of the machine could connect. */
export type Chromium = Exclude<Awaited<ReturnType<typeof startChromium>>, string>

/** @returns why it did not start, as a sentence */
export async function startChromium({ executable, signal, ...settings }: BrowserSettings) {
  const profile = await mkdtemp(join(tmpdir(), 'continuation-point-profile-'))
  const child = spawn(executable, toArguments(settings, profile), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-MOST_SAID)
  })
  const exited = new Promise<unknown>((resolve) => child.once('error', resolve).once('exit', resolve))
  /** Aborted when the browser ends, or has to. */
  const ended = new AbortController()
  void exited.then(() => ended.abort())
  signal.addEventListener('abort', () => ended.abort())
  const protocol = connect(child, ended.signal)
  const killAfter = (ms: number) => setTimeout(() => child.kill('SIGKILL'), ms)
  /** Ends the browser, and removes its profile. */
  const close = async () => {
    await protocol.send('Browser.close').catch(() => child.kill())
    const timer = killAfter(CLOSING_MS)
    await exited
    clearTimeout(timer)
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
  const timer = killAfter(STARTING_MS)
  const version = await protocol.send('Browser.getVersion').catch(() => undefined)
  clearTimeout(timer)
  if (version !== undefined) return { ...protocol, ended, close }
  await close()
  const [, next] = FAULTS.find(([pattern]) => pattern.test(said)) ?? []
  return `${executable} did not start: ${next ?? 'it is not a working Chromium or Chrome. Name another with --browser PATH'}.`
}

function toArguments(
  { isHeadless, hasSandbox, keyHashes }: Omit<BrowserSettings, 'executable' | 'signal'>,
  profile: string,
) {
  return [
    ...['--remote-debugging-pipe', `--user-data-dir=${profile}`],
    ...['--no-first-run', '--no-default-browser-check', '--password-store=basic', '--use-mock-keychain'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...(isHeadless ? ['--headless'] : []),
    ...(hasSandbox ? [] : ['--no-sandbox']),
    ...(keyHashes.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${keyHashes.join()}`]),
    'about:blank',
  ]
}

/** What the parameters of an event may be; each event has some of them. */
export interface EventParameters {
  readonly sessionId: string
  readonly targetInfo: { readonly targetId: string; readonly browserContextId?: string }
  readonly frame: { readonly parentId?: string; readonly url: string }
  readonly frameId: string
  readonly name: string
  readonly url: string
  readonly type: string
  readonly requestId: string
  readonly request: { readonly url: string }
  readonly response: { readonly status: number; readonly fromServiceWorker?: boolean }
  readonly statusCode: number
  readonly blockedReason?: string
  readonly associatedCookies: readonly CookieRecord[]
}

/** What the browser's record says of one cookie and one request; without reasons the cookie was attached. */
export interface CookieRecord {
  readonly cookie: { readonly name: string; readonly domain: string; readonly path: string }
  readonly blockedReasons: readonly string[]
}

/** Messages are JSON, each ended by a NUL. */
function connect(child: ChildProcess, ended: AbortSignal) {
  const [, , , input, output] = child.stdio as unknown as [0, 0, 0, Writable, Readable]
  const calls = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  const listeners = new Map<string, ((parameters: EventParameters) => void)[]>()
  const dispatch = (message: string) => {
    const { id, result, error, method, params, sessionId = '' } = JSON.parse(message)
    if (method !== undefined) for (const each of listeners.get(`${sessionId} ${method}`) ?? []) each(params)
    if (error === undefined) calls.get(id)?.resolve(result)
    else calls.get(id)?.reject(new Error(error.message))
    calls.delete(id)
  }
  let rest = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${text}`.split('\0')
    parts[0] = `${rest}${parts[0]}`
    rest = parts.pop() ?? ''
    parts.forEach(dispatch)
  })
  for (const pipe of [input, output]) pipe.on('error', () => {})
  ended.addEventListener('abort', () => {
    for (const { reject } of calls.values()) reject(new Error('The browser has ended'))
  })
  let last = 0
  return {
    /** Calls a method of the DevTools protocol; rejects with the browser's message, and once the browser has ended. */
    send: <Result = unknown>(method: string, params: object = {}, sessionId?: string) =>
      new Promise<Result>((resolve, reject) => {
        ended.throwIfAborted()
        last += 1
        calls.set(last, { resolve: (result) => resolve(result as Result), reject })
        input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
      }),
    on: (event: string, listener: (parameters: EventParameters) => void, session = '') => {
      const key = `${session} ${event}`
      listeners.set(key, [...(listeners.get(key) ?? []), listener])
    },
  }
}

/** The browser's messages may contain paths and more, so only known causes are named. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [
    /root without --no-sandbox|No usable sandbox/,
    'its sandbox can’t run as this user or in this container. Run as another user, or add --no-sandbox',
  ],
  [
    /Missing X server|\$DISPLAY|having a XServer/,
    'there is no display. Run it in a desktop session, or add --headless',
  ],
]

const MOST_SAID = 16_384
const STARTING_MS = 30_000
const CLOSING_MS = 5_000
