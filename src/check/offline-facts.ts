import type { Config, CookieConfig, PageConfig, PointConfig } from '../config/config.ts'
import { parseRouteTarget } from '../front-ends/forward-target.ts'
import { parseUrl, redactUrl } from '../http/url.ts'
import { findUrlFault } from '../http/url-fault.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import { toDomainKey } from '../site/cookie-scope.ts'
import { indexBy } from './by-key.ts'
import { judgeCarriages, judgeCookies } from './carriage.ts'
import type { CookieFact, Facts, PageFact, PointFact } from './facts.ts'
import { type PagesBySite, parseKnownUrl } from './parsed-url.ts'

/** Everything that follows from the config alone. Pure: no DNS, no disk, no secret. */
export function gatherOfflineFacts(config: Config): Facts {
  const { prefix, api, url, location } = config.service
  const points = linkDuplicates(config.points.map((point) => judgePoint(point, prefix)))
  const pages = config.pages.map(judgePage)
  const readable = pages.flatMap(({ parsed }) => parsed ?? [])
  const pagesBySite = indexBy(readable, ({ site }) => [site])
  const serve = parseRouteTarget(config, undefined)
  return {
    prefix,
    points,
    pages,
    pagesBySite,
    cookies: gatherCookies(config.cookies, points, pagesBySite),
    service:
      url !== undefined && parseUrl(url) !== undefined ? { parsed: parseKnownUrl(url), location } : undefined,
    serveAuthority: 'target' in serve ? `${serve.target.host}:${serve.target.port}` : undefined,
    api: api === undefined ? undefined : { url: api, location },
    backTransfer: config.backTransfer ?? false,
    frontEnd: config.frontEnd,
    live: undefined,
    account: undefined,
    suppressions: [],
  }
}

/** The same facts with other URLs for some points, which keep name and location; `undefined` leaves a point as it is. */
export function withPointUrls(facts: Facts, urlOf: (point: PointFact) => string | undefined): Facts {
  const unlinked = facts.points.map((fact) => {
    const url = urlOf(fact)
    if (url === undefined) return fact
    const { shown, location } = fact
    return { ...judgePoint({ url, location }, facts.prefix), shown }
  })
  return withUnlinked(facts, unlinked)
}

/** The same facts as if the config listed exactly these points. */
export function withPoints(facts: Facts, urls: readonly string[]): Facts {
  const unlinked = urls.map((url, index) =>
    judgePoint({ url, location: { file: '', pointer: `/points/${index}` } }, facts.prefix),
  )
  return withUnlinked(facts, unlinked)
}

function withUnlinked(facts: Facts, unlinked: readonly UnlinkedPoint[]): Facts {
  const points = linkDuplicates(unlinked)
  const configs = facts.cookies.map(({ config }) => config)
  return { ...facts, points, cookies: gatherCookies(configs, points, facts.pagesBySite), live: undefined }
}

type UnlinkedPoint = Omit<PointFact, 'duplicateOf'>

function judgePoint({ url, location }: Pick<PointConfig, 'url' | 'location'>, prefix: string): UnlinkedPoint {
  const found = parsePoint(url, prefix)
  const [point, fault] = isPoint(found) ? [found, undefined] : [undefined, found]
  const parsed = fault?.kind === 'invalid' ? undefined : parseKnownUrl(url)
  return { shown: redactUrl(url), location, fault, parsed, point }
}

function linkDuplicates(points: readonly UnlinkedPoint[]): readonly PointFact[] {
  const firstByUrl = new Map<string, PointFact>()
  return points.map((point) => {
    const { parsed } = point
    const fact: PointFact = { ...point, duplicateOf: parsed && firstByUrl.get(parsed.url) }
    if (parsed !== undefined && fact.duplicateOf === undefined) firstByUrl.set(parsed.url, fact)
    return fact
  })
}

function judgePage({ url, location }: PageConfig): PageFact {
  const fault = findUrlFault(url)
  const parsed = fault === undefined ? parseKnownUrl(url) : undefined
  return { shown: redactUrl(url), location, fault, parsed }
}

function gatherCookies(
  configs: readonly CookieConfig[],
  points: readonly PointFact[],
  pagesBySite: PagesBySite,
): readonly CookieFact[] {
  const judged = judgeCookies(configs)
  const carriages = judgeCarriages(judged, points, pagesBySite)
  const firstByKey = new Map<string, CookieFact>()
  return configs.flatMap((config, index) => {
    const scope = judged[index]
    const carriage = carriages[index]
    if (scope === undefined || carriage === undefined) return []
    const { name, domain, path } = config
    // RFC 6265bis section 5.7: a store holds one cookie for a name, domain, host-only flag and path.
    const key = JSON.stringify([name, toDomainKey(domain), path])
    const fact: CookieFact = { config, judged: scope, carriage, duplicateOf: firstByKey.get(key) }
    if (fact.duplicateOf === undefined) firstByKey.set(key, fact)
    return [fact]
  })
}
