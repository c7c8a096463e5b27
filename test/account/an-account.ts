import type { Io } from '../../src/cli/io.ts'
import { type Arrival, startStub } from '../api/support/stub-service.ts'
import { fakeIo, runCommand } from '../cli/fake-io.ts'

export const prefix = '/service_cookie_transfer/'
export const root = `https://www.example.com${prefix}`
export const shop = `https://shop.example.com${prefix}`
export const sid = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true }

export interface Setting {
  readonly io?: Partial<Io>
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** What the user types at the terminal; absent if there is none. */
  readonly typed?: string
}

/** A service with one account that has these options, which a PATCH changes; and commands with a config for it. */
export async function openAccount(options: object) {
  let now: object = options
  const { baseUrl, arrivals } = await startStub(({ method, body }: Arrival) => {
    if (method === 'PATCH') now = { ...now, ...(body as object) }
    return { body: now }
  })
  return {
    service: { api: baseUrl },
    /** The options that it has now. */
    now: () => now,
    change(more: object) {
      now = { ...now, ...more }
    },
    /** `GET`, `PATCH`, as they came. */
    calls: () => arrivals.map(({ method }) => method),
    run: (config: object | undefined, line: string | readonly string[], setting: Setting = {}) =>
      runWith(
        config && { service: { api: baseUrl }, apiKey: 'rest-key', points: [root], ...config },
        line,
        setting,
      ),
  }
}

/** Runs a command with a config, if there is one. */
export async function runWith(
  config: object | undefined,
  line: string | readonly string[],
  { io, env, files, typed }: Setting = {},
) {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return typed ?? ''
  }
  const text = config === undefined ? {} : { 'config.json': JSON.stringify(config) }
  const fake = fakeIo({ ...files, ...text }, env)
  const ran = await runCommand(line, { ...fake, ...(typed !== undefined && { ask }), ...io })
  return { ...ran, asked }
}
