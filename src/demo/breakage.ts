import type { RequestListener } from 'node:http'
import type { Breakage, Mistake } from '../sandbox/shop/breakage.ts'
import { carelessFrontEnd } from '../sandbox/shop/careless-front-end.ts'

/** A point of the demo, for the proxy's config. */
export interface DemoPoint {
  readonly url: string
  readonly widgetKey?: string
}

interface DemoBreakage extends Breakage {
  /** Handles requests to the broken point while the proxy does not have it. */
  readonly careless: RequestListener
  /** Whether a request goes there. */
  isCareless(authority: string | undefined, target: string | undefined): boolean
}

/**
 * Breaks the demo's first point on purpose: gives it a wrong widget key in the proxy's config, or removes it from the
 * proxy and lets a misconfigured front end forward it.
 *
 * @param check runs `check` on a URL, and returns what it prints
 * @param apply configures the proxy with these points
 */
export function openBreakage(
  serviceUrl: string,
  widgetKey: string,
  pointUrls: readonly string[],
  check: (url: string) => Promise<string>,
  apply: (points: readonly DemoPoint[]) => Promise<void>,
): DemoBreakage {
  const [pointUrl = '', ...others] = pointUrls
  const { host, pathname } = new URL(pointUrl)
  let mistake: Mistake | undefined
  return {
    pointUrl,
    current: () => mistake,
    async choose(chosen) {
      await apply([...toPoints(pointUrl, chosen), ...others.map((url) => ({ url }))])
      mistake = chosen
    },
    check: () => check(pointUrl),
    careless: carelessFrontEnd(serviceUrl, widgetKey, pointUrl),
    isCareless: (authority = '', target = '') =>
      mistake === 'lost-host' && authority.toLowerCase() === host && target.startsWith(pathname),
  }
}

function toPoints(url: string, mistake: Mistake | undefined): readonly DemoPoint[] {
  if (mistake === 'lost-host') return []
  return [mistake === 'wrong-key' ? { url, widgetKey: 'not-the-widget-key' } : { url }]
}
