import type { Config, CookieConfig, PageConfig, PointConfig, ServiceConfig } from '../config/config.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import { type CookieDomain, judgeScope } from '../site/cookie-scope.ts'
import { toCarriages } from './carriage.ts'
import type { CookieFact, Facts, PageFact, Place, PointFact, ServiceFact } from './facts.ts'
import { toPlace } from './place.ts'
import { toShownUrl } from './shown-url.ts'

/** Everything that can be known without asking anybody. Pure: no DNS, no disk, no secret. */
export function toOfflineFacts(config: Config): Facts {
  const { prefix } = config.service
  const points = toPointFacts(config.points, prefix)
  const pages = config.pages.map(toPageFact)
  const pagesBySite = indexBySite(pages)
  return {
    prefix,
    points,
    pages,
    pagesBySite,
    cookies: toCookieFacts(config.cookies, points, pagesBySite),
    service: toServiceFact(config.service),
    backTransfer: config.backTransfer,
    live: undefined,
    account: undefined,
    suppressions: [],
  }
}

function toPointFacts(configs: readonly PointConfig[], prefix: string): readonly PointFact[] {
  const firstByUrl = new Map<string, PointFact>()
  return configs.map((config) => {
    const parsed = parsePoint(config.url, prefix)
    const fault = isPoint(parsed) ? undefined : parsed
    const place = fault?.kind === 'invalid' ? undefined : toPlace(config.url)
    const fact: PointFact = {
      shown: toShownUrl(config.url),
      location: config.location,
      fault,
      place,
      point: isPoint(parsed) ? parsed : undefined,
      duplicateOf: place && firstByUrl.get(place.url),
    }
    if (place !== undefined && fact.duplicateOf === undefined) firstByUrl.set(place.url, fact)
    return fact
  })
}

function toPageFact({ url, location }: PageConfig): PageFact {
  const fault = pageFault(url)
  return { shown: toShownUrl(url), location, fault, place: fault === undefined ? toPlace(url) : undefined }
}

function pageFault(text: string): string | undefined {
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'it holds white space, a control character or a backslash'
  if (!/^https?:\/\/[^/?#]/i.test(text)) return 'it is not an absolute http or https URL'
  if (!URL.canParse(text)) return 'its host or port is not valid'
  const { username, password } = new URL(text)
  return username === '' && password === '' ? undefined : 'it carries credentials'
}

function indexBySite(pages: readonly PageFact[]): ReadonlyMap<string, readonly Place[]> {
  const index = new Map<string, Place[]>()
  for (const { place } of pages) {
    if (place === undefined) continue
    const sameSite = index.get(place.site)
    if (sameSite === undefined) index.set(place.site, [place])
    else sameSite.push(place)
  }
  return index
}

function toCookieFacts(
  configs: readonly CookieConfig[],
  points: readonly PointFact[],
  pagesBySite: ReadonlyMap<string, readonly Place[]>,
): readonly CookieFact[] {
  const judged = configs.map(judgeScope)
  const carriages = toCarriages(judged, points, pagesBySite)
  const firstByKey = new Map<string, CookieFact>()
  return configs.flatMap((config, index) => {
    const scope = judged[index]
    const carriage = carriages[index]
    if (scope === undefined || carriage === undefined) return []
    const key = toCookieKey(config, scope.domain)
    const fact: CookieFact = { config, judged: scope, carriage, duplicateOf: firstByKey.get(key) }
    if (fact.duplicateOf === undefined) firstByKey.set(key, fact)
    return [fact]
  })
}

// RFC 6265bis section 5.7: a store holds one cookie for a name, domain, host-only flag and path.
function toCookieKey({ name, domain, path }: CookieConfig, parsed: CookieDomain | undefined): string {
  return JSON.stringify([name, parsed?.host ?? domain.toLowerCase(), parsed?.hostOnly, path])
}

function toServiceFact(service: ServiceConfig): ServiceFact | undefined {
  if (service.url === undefined || !URL.canParse(service.url)) return undefined
  return { place: toPlace(service.url), location: service.location }
}
