import type { Config, PointConfig, ServiceConfig } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { resolveSecrets, type SecretSource } from '../config/resolve-secrets.ts'
import type { Secret } from '../config/secret.ts'
import { findPlainHttp } from '../http/host.ts'
import type { ServedPoint } from '../points/match.ts'
import { parsePoints } from '../points/parse-points.ts'

/** A config that is complete enough to forward: it names a service, its points are parsed, every secret is read. */
export interface ResolvedConfig {
  readonly config: Config
  readonly service: ServiceConfig & { readonly url: string }
  readonly points: readonly ServedPoint[]
  /** PEM text of `service.ca`. */
  readonly serviceCa: Secret | undefined
  /** PEM texts of `listen.tls`. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
}

/**
 * Checks that a config is complete enough to forward (a service that is https or on loopback, at least one point, no bad
 * point) and reads every secret. All problems are reported at once.
 */
export async function resolveConfig(
  config: Config,
  source: SecretSource,
): Promise<{ readonly resolved: ResolvedConfig } | { readonly problems: readonly Problem[] }> {
  const { service, listen } = config
  const parsed = parsePoints(config.points, service.prefix)
  const keyOf = (point: PointConfig) => point.widgetKey ?? config.widgetKey
  const secrets = await resolveSecrets(
    [
      ...config.points.map((point) => [keyOf(point), 'field value'] as const),
      ...(config.points.length === 0 ? [[config.widgetKey, 'field value'] as const] : []),
      [service.ca, 'certificate'],
      [listen.tls?.cert, 'certificate'],
      [listen.tls?.key, 'private key'],
    ],
    source,
  )
  const { url } = service
  const problems = [
    ...serviceProblems(config),
    ...('problems' in parsed ? parsed.problems : []),
    ...keyProblems(config),
    ...secrets.problems,
  ]
  if (url === undefined || 'problems' in parsed || problems.length > 0) return { problems }
  const points = parsed.points.flatMap(({ point, config: entry }) => {
    const widgetKey = secrets.of(keyOf(entry))
    return widgetKey === undefined ? [] : [{ ...point, widgetKey }]
  })
  const [cert, key] = [secrets.of(listen.tls?.cert), secrets.of(listen.tls?.key)]
  const tls = cert && key && { cert: cert.reveal(), key: key.reveal() }
  return {
    resolved: { config, service: { ...service, url }, points, serviceCa: secrets.of(service.ca), tls },
  }
}

function keyProblems({ points, widgetKey, pointsLocation }: Config): Problem[] {
  if (widgetKey !== undefined) return []
  const expected = '"widgetKey" in the config, or CONTINUATION_WIDGET_KEY'
  if (points.length === 0) {
    const location = { file: pointsLocation.file, pointer: '/widgetKey' }
    return [{ location, message: 'there is no widget key', expected }]
  }
  const [first, ...others] = points.filter((point) => point.widgetKey === undefined)
  if (first === undefined) return []
  const message = `no widget key for ${others.length + 1} of ${points.length} points`
  return [{ location: first.location, message, expected }]
}

function serviceProblems({ service, points, pointsLocation }: Config): Problem[] {
  const problems: Problem[] = []
  if (service.url === undefined) {
    problems.push({
      location: service.location,
      message: 'service.url is missing: it names the service that requests are forwarded to',
      expected: 'an origin such as https://cobrowse.example.net, here or in CONTINUATION_SERVICE_URL',
    })
  } else {
    const fault = findPlainHttp(new URL(service.url), 'every cookie')
    if (fault !== undefined) {
      const message = `service.url is ${fault}`
      problems.push({ location: service.location, message, expected: 'an https URL' })
    }
  }
  if (points.length === 0) {
    problems.push({
      location: pointsLocation,
      message: 'there is no continuation point to serve',
      expected: `a list of URLs such as https://www.example.com${service.prefix}, here or in CONTINUATION_POINTS`,
    })
  }
  return problems
}
