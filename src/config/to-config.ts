import type { Config, PointConfig, ServiceConfig } from './config.ts'
import { parseDuration } from './duration.ts'
import type { Path } from './location.ts'
import type { Location } from './problem.ts'
import type { WrittenConfig } from './schema.ts'
import { parseSecretReference, type SecretReference } from './secret.ts'
import type { Steps } from './steps.ts'

/** Converts a valid config: durations to milliseconds, secrets to references, `null` to `undefined`. */
export function* toConfig(
  written: WrittenConfig,
  locate: (path: Path) => Location,
  adminPortIsDefault: boolean,
): Steps<Config> {
  const toSecret = (text: string, ...path: Path) => parseSecretReference(text, locate(path))
  const toOptionalSecret = (text: string | null | undefined, ...path: Path) =>
    typeof text === 'string' ? toSecret(text, ...path) : undefined
  const { admin, forward, limits, listen, log, monitor, service, timeouts, workers } = written
  const points: PointConfig[] = []
  for (const [index, point] of written.points.entries()) {
    const { url, widgetKey, apiKey, plan } = typeof point === 'string' ? { url: point } : point
    points.push({
      url,
      widgetKey: toOptionalSecret(widgetKey, 'points', index, 'widgetKey'),
      apiKey: toOptionalSecret(apiKey, 'points', index, 'apiKey'),
      plan,
      location: locate(['points', index]),
    })
    yield
  }
  return {
    service: resolveService(
      service,
      toOptionalSecret(service.ca, 'service', 'ca'),
      locate(service.url === undefined ? ['service'] : ['service', 'url']),
    ),
    widgetKey: toOptionalSecret(written.widgetKey, 'widgetKey'),
    apiKey: toOptionalSecret(written.apiKey, 'apiKey'),
    points,
    pointsLocation: locate(['points']),
    plans: Object.entries(written.plans).map(([name, fixes]) => ({
      name,
      fixes,
      location: locate(['plans', name]),
    })),
    pages: written.pages.map((url, index) => ({ url, location: locate(['pages', index]) })),
    cookies: (written.cookies ?? []).map((cookie, index) => ({
      ...cookie,
      location: locate(['cookies', index]),
    })),
    cookiesLocation: written.cookies && locate(['cookies']),
    backTransfer: written.backTransfer,
    frontEnd: written.frontEnd,
    forward,
    listen: {
      ...listen,
      tls: listen.tls
        ? {
            cert: toSecret(listen.tls.cert, 'listen', 'tls', 'cert'),
            key: toSecret(listen.tls.key, 'listen', 'tls', 'key'),
          }
        : undefined,
    },
    admin: admin === null ? undefined : { ...admin, portIsDefault: adminPortIsDefault },
    timeouts: {
      connectMs: parseMs(timeouts.connect),
      headersMs: parseMs(timeouts.headers),
      idleMs: parseMs(timeouts.idle),
      drainMs: parseMs(timeouts.drain),
      connectionAgeMs: parseMs(timeouts.connectionAge),
    },
    limits: { ...limits, bodyBytes: limits.bodyBytes ?? undefined },
    workers,
    monitor: {
      everyMs: parseMs(monitor.every),
      webhook: toOptionalSecret(monitor.webhook, 'monitor', 'webhook'),
    },
    log,
    suppress: written.suppress.map((suppression, index) => ({
      ...suppression,
      location: locate(['suppress', index]),
    })),
    webhooks: written.webhooks?.map(({ url, events }, index) => ({
      url: toSecret(url, 'webhooks', index, 'url'),
      events,
      location: locate(['webhooks', index]),
    })),
  }
}

function resolveService(
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

function parseMs(duration: string): number {
  const parsed = parseDuration(duration)
  if ('reason' in parsed) throw new Error('a duration reached toConfig that validate had to refuse')
  return parsed.ms
}
