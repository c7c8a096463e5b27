import type {
  Config,
  CookieConfig,
  ListenConfig,
  PointConfig,
  ServiceConfig,
  TimeoutsConfig,
} from './config.ts'
import { parseDuration } from './duration.ts'
import type { Path } from './location.ts'
import type { Location } from './problem.ts'
import type { WrittenConfig } from './schema.ts'
import { type SecretReference, toSecretReference } from './secret.ts'

/** Converts a valid config: durations to milliseconds, secrets to references, `null` to `undefined`. */
export function toConfig(
  written: WrittenConfig,
  locate: (path: Path) => Location,
  adminPortIsDefault: boolean,
): Config {
  const toSecret = (text: string | undefined, path: Path): SecretReference | undefined =>
    text === undefined ? undefined : toSecretReference(text, locate(path))
  const serviceLocation = locate(written.service.url === undefined ? ['service'] : ['service', 'url'])
  return {
    service: toService(written.service, toSecret(written.service.ca, ['service', 'ca']), serviceLocation),
    widgetKey: toSecret(written.widgetKey, ['widgetKey']),
    apiKey: toSecret(written.apiKey, ['apiKey']),
    points: written.points.map((point, index) => toPoint(point, ['points', index], locate)),
    pointsLocation: locate(['points']),
    pages: written.pages.map((url, index) => ({ url, location: locate(['pages', index]) })),
    cookies: written.cookies.map((cookie, index) => toCookie(cookie, locate(['cookies', index]))),
    backTransfer: written.backTransfer,
    forward: written.forward,
    listen: toListen(written.listen, locate),
    admin: written.admin === null ? undefined : { ...written.admin, portIsDefault: adminPortIsDefault },
    timeouts: toTimeouts(written.timeouts),
    limits: { ...written.limits, bodyBytes: written.limits.bodyBytes ?? undefined },
    workers: written.workers,
    monitor: {
      everyMs: toMs(written.monitor.every),
      webhook: toSecret(written.monitor.webhook ?? undefined, ['monitor', 'webhook']),
    },
    log: written.log,
    suppress: written.suppress.map(({ rule, match, reason }, index) => ({
      rule,
      match,
      reason,
      location: locate(['suppress', index]),
    })),
    webhooks: written.webhooks?.map(({ url, events }, index) => ({
      url: toSecretReference(url, locate(['webhooks', index, 'url'])),
      events,
      location: locate(['webhooks', index]),
    })),
  }
}

function toService(
  { url, api, prefix, keepCookiePath }: WrittenConfig['service'],
  ca: SecretReference | undefined,
  location: Location,
): ServiceConfig {
  const origin = url === undefined ? undefined : new URL(url).origin
  const root = api === undefined ? undefined : new URL(api).href.replace(/\/+$/, '')
  return {
    url: origin,
    api: root ?? (origin === undefined ? undefined : `${origin}/v2`),
    prefix,
    keepCookiePath,
    ca,
    location,
  }
}

function toPoint(
  point: WrittenConfig['points'][number],
  path: Path,
  locate: (path: Path) => Location,
): PointConfig {
  const location = locate(path)
  if (typeof point === 'string') return { url: point, widgetKey: undefined, apiKey: undefined, location }
  const { url, widgetKey, apiKey } = point
  return {
    url,
    widgetKey:
      widgetKey === undefined ? undefined : toSecretReference(widgetKey, locate([...path, 'widgetKey'])),
    apiKey: apiKey === undefined ? undefined : toSecretReference(apiKey, locate([...path, 'apiKey'])),
    location,
  }
}

function toCookie(cookie: WrittenConfig['cookies'][number], location: Location): CookieConfig {
  const { name, domain, path, httponly, secure, sameSite } = cookie
  return { name, domain, path, httponly, secure, sameSite, location }
}

function toListen(listen: WrittenConfig['listen'], locate: (path: Path) => Location): ListenConfig {
  const { host, port, trustedProxies, tls } = listen
  if (tls === null) return { host, port, trustedProxies, tls: undefined }
  const cert = toSecretReference(tls.cert, locate(['listen', 'tls', 'cert']))
  const key = toSecretReference(tls.key, locate(['listen', 'tls', 'key']))
  return { host, port, trustedProxies, tls: { cert, key } }
}

function toTimeouts({ connect, headers, idle, drain }: WrittenConfig['timeouts']): TimeoutsConfig {
  return {
    connectMs: toMs(connect),
    headersMs: toMs(headers),
    idleMs: toMs(idle),
    drainMs: toMs(drain),
  }
}

function toMs(duration: string): number {
  const parsed = parseDuration(duration)
  if ('reason' in parsed) throw new Error('a duration reached toConfig that validate had to refuse')
  return parsed.ms
}
