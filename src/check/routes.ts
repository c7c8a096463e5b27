import type { CookieFact, Facts, PointFact } from './facts.ts'
import { type Finding, toSubjectKey } from './finding.ts'
import type { ParsedUrl } from './parsed-url.ts'

/** The way of the cookies as a picture has it: from pages to points, and from points to the cookies they carry. */
export interface Routes {
  /** What every point ends with. */
  readonly prefix: string
  readonly pages: readonly Stop[]
  readonly points: readonly Stop[]
  readonly cookies: readonly Stop[]
  /** By the numbers of page and point. */
  readonly calls: readonly Leg[]
  /** By the numbers of point and cookie. */
  readonly carries: readonly Leg[]
}

export interface Stop {
  readonly name: string
  readonly state: 'good' | 'unsure' | 'bad'
}

export interface Leg {
  readonly from: number
  readonly to: number
  /** `depends`: on Secure or SameSite, or it could not be told whether the point reaches the service. */
  readonly state: 'travels' | 'depends' | 'broken'
}

/** Draws the ways that the facts allow, broken where a finding says that nothing gets through. */
export function toRoutes(facts: Facts, findings: readonly Finding[]): Routes {
  const points = facts.points.filter(({ duplicateOf }) => duplicateOf === undefined)
  const states = toStates(findings)
  const stateOf = (subject: Finding['subject'], location: Finding['location']) =>
    states.get(toSubjectKey({ subject, location })) ?? 'good'
  const pointStops = points.map(({ shown, location }) => ({
    name: shown,
    state: stateOf({ point: shown }, location),
  }))
  const routed = points.slice(0, MOST_ROUTED)
  const untold = new Set(findings.filter(isUntold).map(toSubjectKey))
  /** What lies behind a point gets no farther than to the point. */
  const through = (state: Leg['state'], index: number): Leg['state'] => {
    const point = points[index]
    if (point === undefined || pointStops[index]?.state === 'bad') return 'broken'
    const { shown, location } = point
    const isOpen = state !== 'travels' || !untold.has(toSubjectKey({ subject: { point: shown }, location }))
    return isOpen ? state : 'depends'
  }
  return {
    prefix: facts.prefix,
    pages: facts.pages.map(({ shown, location }) => ({
      name: shown,
      state: stateOf({ page: shown }, location),
    })),
    points: pointStops,
    cookies: facts.cookies.map(toCookieStop),
    calls: facts.pages.slice(0, MOST_ROUTED).flatMap((page, from) =>
      routed.flatMap((point, to) => {
        const state = toCall(page.parsed, point.parsed)
        return state === undefined ? [] : [{ from, to, state: through(state, to) }]
      }),
    ),
    carries: facts.cookies.slice(0, MOST_ROUTED).flatMap((cookie, to) => {
      const carry = toCarry(cookie)
      return routed.flatMap((point, from) => {
        const state = carry(point)
        return state === undefined ? [] : [{ from, to, state: through(state, from) }]
      })
    }),
  }
}

/** How each subject stands by its open findings. */
function toStates(findings: readonly Finding[]): ReadonlyMap<string, Stop['state']> {
  const states = new Map<string, Stop['state']>()
  for (const finding of findings) {
    const { outcome, severity, suppressed } = finding
    if (suppressed !== undefined) continue
    const key = toSubjectKey(finding)
    if (outcome === 'fail' && severity === 'error') states.set(key, 'bad')
    const isWarned = outcome === 'fail' && severity === 'warning'
    if ((isWarned || isUntold(finding)) && !states.has(key)) states.set(key, 'unsure')
  }
  return states
}

function toCookieStop({ config: { name, domain, path }, carriage: { kind } }: CookieFact): Stop {
  const state = kind === 'sent' ? 'good' : kind === 'depends' ? 'unsure' : 'bad'
  return { name: `${name} (${domain} ${path})`, state }
}

/** Whether a point reaches the service at all could not be told. */
function isUntold({ id, outcome }: Finding): boolean {
  return outcome === 'inconclusive' && REACH_RULES.includes(id)
}

/** The widget calls every point of the page's site, whatever the origin; an https page no point on http. */
function toCall(page: ParsedUrl | undefined, point: ParsedUrl | undefined): Leg['state'] | undefined {
  if (page === undefined || point === undefined || page.site !== point.site) return undefined
  return page.scheme === 'https' && point.scheme === 'http' && !point.loopback ? 'broken' : 'travels'
}

/** A way that could be and is not is broken; only cookies that nothing carries have one. */
function toCarry({ carriage }: CookieFact): (point: PointFact) => Leg['state'] | undefined {
  const [sure, maybe] = [new Set(carriage.sure), new Set(carriage.maybe)]
  const isLost = carriage.kind === 'no-path' || carriage.kind === 'insecure'
  const wanted = new Set(isLost ? carriage.onHost : [])
  return (point) => {
    if (sure.has(point)) return 'travels'
    if (maybe.has(point)) return 'depends'
    return wanted.has(point) ? 'broken' : undefined
  }
}

const REACH_RULES: readonly string[] = ['live/dns', 'live/connect', 'live/tls', 'live/forwarded']

/** Of a kind; a picture of more helps nobody. */
const MOST_ROUTED = 200
