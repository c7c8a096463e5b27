import type { Location, Path } from './problem.ts'
import type { WrittenConfig } from './schema.ts'
import { parseDuration } from './schema-parts.ts'
import { parseSecretReference, type Secret } from './secret.ts'

/** The whole config after parsing, frozen: defaults filled in, durations in milliseconds, secrets still references. */
export type Config = Frozen<ReturnType<typeof toConfig>>

export type ServiceConfig = Config['service']
/** A continuation point as written; `points` and `check` validate its URL. */
export type PointConfig = Config['points'][number]
export type PageConfig = Config['pages'][number]
/** One cookie scope (an element of the service's `cookie_transfer_scopes`), and what the checker is told of the cookie. */
export type CookieConfig = Config['cookies'][number]
export type ListenConfig = Config['listen']
export type AdminConfig = NonNullable<Config['admin']>
export type LogConfig = Config['log']
export type SuppressConfig = Config['suppress'][number]

/** Converts a valid config: durations to milliseconds, secrets to references, `null` to `undefined`. */
export function toConfig(
  written: WrittenConfig,
  locate: (path: Path) => Location,
  adminPortIsDefault: boolean,
) {
  const { admin, forward, frontEnd, limits, listen, log, service, timeouts } = written
  const toSecret = (text: string, ...path: Path) => parseSecretReference(text, locate(path))
  const toOptionalSecret = (text: string | null | undefined, ...path: Path) =>
    typeof text === 'string' ? toSecret(text, ...path) : undefined
  const toPoint = (point: WrittenConfig['points'][number], index: number) => {
    const { url, widgetKey } = typeof point === 'string' ? { url: point } : point
    return {
      url,
      widgetKey: toOptionalSecret(widgetKey, 'points', index, 'widgetKey'),
      location: locate(['points', index]),
    }
  }
  const origin = service.url === undefined ? undefined : new URL(service.url).origin
  const root = service.api === undefined ? undefined : new URL(service.api).href.replace(/(?<!\/)\/+$/, '')
  return {
    service: {
      ...service,
      /** The service's origin, `https://host[:port]`, without a path. May be absent if points are only checked. */
      url: origin,
      /** REST root without trailing slash; absent if neither it nor `url` is set. */
      api: root ?? (origin === undefined ? undefined : `${origin}/v2`),
      ca: toOptionalSecret(service.ca, 'service', 'ca'),
      /** Location of `url`; without one, of the section. */
      location: locate(service.url === undefined ? ['service'] : ['service', 'url']),
    },
    widgetKey: toOptionalSecret(written.widgetKey, 'widgetKey'),
    apiKey: toOptionalSecret(written.apiKey, 'apiKey'),
    points: written.points.map(toPoint),
    /** Location of the list itself, for problems with an empty list. */
    pointsLocation: locate(['points']),
    pages: written.pages.map((url, index) => ({ url, location: locate(['pages', index]) })),
    cookies: (written.cookies ?? []).map((cookie, index) => ({
      ...cookie,
      location: locate(['cookies', index]),
    })),
    /** Absent without `cookies`: the account's scopes are then not compared. */
    cookiesLocation: written.cookies && locate(['cookies']),
    /** If absent, the account's is not compared. */
    backTransfer: written.backTransfer,
    frontEnd,
    forward,
    listen: {
      ...listen,
      /** Location of `reusePort`. */
      location: locate(['listen', 'reusePort']),
      tls: listen.tls
        ? {
            cert: toSecret(listen.tls.cert, 'listen', 'tls', 'cert'),
            key: toSecret(listen.tls.key, 'listen', 'tls', 'key'),
          }
        : undefined,
    },
    /** If the default port is in use, another one may be picked. */
    admin: admin === null ? undefined : { ...admin, portIsDefault: adminPortIsDefault },
    timeouts: {
      connectMs: parseMs(timeouts.connect),
      headersMs: parseMs(timeouts.headers),
      idleMs: parseMs(timeouts.idle),
      drainMs: parseMs(timeouts.drain),
      connectionAgeMs: parseMs(timeouts.connectionAge),
    },
    limits: { ...limits, bodyBytes: limits.bodyBytes ?? undefined },
    log,
    suppress: written.suppress.map((suppression, index) => ({
      ...suppression,
      location: locate(['suppress', index]),
    })),
  }
}

function parseMs(duration: string): number {
  const parsed = parseDuration(duration)
  if ('reason' in parsed) throw new Error('a duration reached toConfig that validate had to refuse')
  return parsed.ms
}

type Frozen<T> = T extends Secret
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Frozen<T[Key]> }
      : T
