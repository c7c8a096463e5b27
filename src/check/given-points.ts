import type { AccountFact } from '../account/read-account.ts'
import type { Config, PointConfig } from '../config/config.ts'
import { parseUrl, toCanonicalUrl } from '../http/url.ts'

/** The points that the command line gives to check, beside the config that they were given with. */
export type GivenPoints = ReturnType<typeof mergeGivenPoints>

/** @param given the config with the URLs of the command line in place of its own points */
export function mergeGivenPoints(own: Config, given: Config) {
  const ownByUrl = new Map(own.points.map((point) => [toKey(point), point]))
  const points = given.points.map((point) => {
    const { widgetKey } = ownByUrl.get(toKey(point)) ?? point
    return { ...point, widgetKey }
  })
  const others = points.filter((point) => !ownByUrl.has(toKey(point)))
  return {
    /** The config with only the given points. Those that it has itself keep their keys. */
    config: { ...given, points } satisfies Config,
    /** The config with all of its own points, then the given ones that it doesn't have: what its account has to list. */
    whole: { ...own, points: [...own.points, ...others] } satisfies Config,
    /** The canonical URLs of the config's own points. */
    ownUrls: new Set(ownByUrl.keys()),
  }
}

/** The same account, with the indexes of its points among the given ones. */
export function onGivenPoints(
  account: AccountFact,
  { config, whole }: Pick<GivenPoints, 'config' | 'whole'>,
): AccountFact {
  const urls = new Set(account.points.flatMap((index) => whole.points[index] ?? []).map(toKey))
  const points = config.points.flatMap((point, index) => (urls.has(toKey(point)) ? [index] : []))
  return { ...account, points }
}

function toKey({ url }: PointConfig): string {
  return parseUrl(url) === undefined ? url : toCanonicalUrl(url).href
}
