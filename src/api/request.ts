import { Secret } from '../config/secret.ts'

/** A method and a path below the REST root, as the service documents them: `GET /agents/{AGENT_ID}/`. */
export type Endpoint = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** What a call sends to its endpoint. */
export interface Sent {
  /** Replaces the placeholder of the path. */
  readonly id?: string | number
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: object
  /** Absent: the client's own REST key. */
  readonly credential?: Secret | 'none' | undefined
  /** The largest answer, if the client's settings name none. */
  readonly limitBytes?: number | undefined
}

/** `undefined` sends nothing, `null` the word `null`, an array one parameter per value. */
export type Query = Readonly<
  Record<string, string | number | boolean | Date | null | readonly string[] | undefined>
>

/** The last argument of every method. */
export interface CallOptions {
  /** Aborts this call. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The address of a request.
 *
 * @param root REST root without a trailing slash
 * @param key sent as `api_key` (spec 4)
 * @throws RangeError as `requireId` does
 */
export function buildUrl(
  root: string,
  path: string,
  { id, query = {} }: Sent,
  key: Secret | undefined,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of value === undefined ? [] : [value].flat())
      parameters.append(name, each instanceof Date ? each.toISOString() : String(each))
  }
  if (key !== undefined) parameters.append('api_key', key.reveal())
  const filled = path.replace(PLACEHOLDER, () => encodeURIComponent(requireId(id, `id of ${path}`)))
  return `${root}${filled}${parameters.size === 0 ? '' : `?${parameters}`}`
}

/**
 * The body of a request, as JSON; `undefined` for a request that has none.
 *
 * @throws TypeError for anything that is not an object or can't be written as JSON
 */
export function encodeBody(endpoint: Endpoint, sent: Sent): string | undefined {
  if (!('body' in sent)) return undefined
  if (!isObject(sent.body)) throw new TypeError(`The body of ${endpoint} is not an object`)
  try {
    return JSON.stringify(sent.body)
  } catch {
    throw new TypeError(
      `The body of ${endpoint} can't be written as JSON; look for a circular reference or a BigInt`,
    )
  }
}

/** A body with the `agent_id` that `agents.create` returns, a string, as the integer that the service documents. */
export function withIntegerId<T extends object>(body: T): object {
  const id = isObject(body) ? body.agent_id : undefined
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? { ...body, agent_id: Number(id) } : body
}

/**
 * An id as it appears in an address, before encoding.
 *
 * @param name for the message: `id of /agents/{AGENT_ID}/`
 * @throws RangeError for an id that would lead elsewhere: none, an empty one, `.` or `..`, which the URL parser removes,
 * half of a surrogate pair, a number that is not an integer
 */
export function requireId(id: string | number | undefined, name: string): string {
  const text = Number.isSafeInteger(id) ? String(id) : id
  if (typeof text === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(text)) return text
  throw new RangeError(`The ${name} is neither an integer nor a text that a URL can hold`)
}

/**
 * Wraps the key that a caller gave. An empty one counts as none, so that `process.env.API_KEY ?? ''` works.
 *
 * @param name of the setting, for the messages
 * @throws TypeError unless it is a string or a Secret; RangeError for half of a surrogate pair, which no URL can hold
 */
export function parseKey(given: Secret | string | undefined, name: string): Secret | undefined {
  if (given === undefined) return undefined
  const key = typeof given === 'string' ? new Secret(given) : given
  if (!(key instanceof Secret)) throw new TypeError(`${name} is neither a string nor a Secret`)
  const text = key.reveal()
  if (/\p{Surrogate}/u.test(text)) throw new RangeError(`${name} holds half of a surrogate pair`)
  return text === '' ? undefined : key
}

/**
 * Checks settings of a caller, by their names.
 *
 * @throws RangeError for one that is not a whole number from `least` to 2^31 - 1, beyond which Node's timers fire at once
 */
export function requireWhole(settings: Readonly<Record<string, number>>, least: number): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1)
      throw new RangeError(`${name} is not a whole number from ${least} to ${2 ** 31 - 1}`)
  }
}

/** Tells a JSON object from everything else. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The path as errors show it. A client key, which is secret, stays a placeholder. */
export function redactPath(path: string, { id }: Sent): string {
  return id === undefined || path.includes('_KEY}') ? path : path.replace(PLACEHOLDER, encodeURIComponent(id))
}

const PLACEHOLDER = /\{[A-Z_]+\}/
