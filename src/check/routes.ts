import type { CookieFact, Facts, PageFact, PointFact } from './facts.ts'
import { type Finding, type Located, toSubjectKey } from './finding.ts'
import type { ParsedUrl } from './parsed-url.ts'
import { cookieCase, pageCase, pointCase } from './subjects.ts'
import { weigh } from './summary.ts'

export interface Stop {
  readonly name: string
  /** What distinguishes it from the others, in two lines: the host, and what follows it; of a cookie its name first. */
  readonly label: readonly [first: string, second: string]
  readonly state: 'good' | 'unsure' | 'bad'
}

export interface Leg {
  readonly from: number
  readonly to: number
  /** `depends`: on Secure or SameSite, or on whether the point reaches the service, which is inconclusive. */
  readonly state: 'travels' | 'depends' | 'broken'
}

/** The routes of the cookies for the map of a report, from pages to points, and from points to the cookies they carry. */
export type Routes = ReturnType<typeof traceRoutes>

/** The routes that the facts allow, broken where a finding says that nothing gets through. */
export function traceRoutes(facts: Facts, findings: readonly Finding[]) {
  const points = facts.points.filter(({ duplicateOf }) => duplicateOf === undefined)
  const states = judgeStates(findings)
  const stateOf = (subject: Located) => states.get(toSubjectKey(subject)) ?? 'good'
  const toStop = ({ shown, parsed }: PointFact | PageFact, subject: Located): Stop => ({
    name: shown,
    label: parsed === undefined ? [shown, ''] : describeUrl(parsed, facts.prefix),
    state: stateOf(subject),
  })
  const stateOfPoint = (point: PointFact) => stateOf(pointCase(point))
  const pointStops = points.map((point) => toStop(point, pointCase(point)))
  const routed = points.slice(0, MOST_ROUTED)
  const uncertain = new Set(findings.filter(isUncertain).map(toSubjectKey))
  /** A route is at most as good as the point it passes through. */
  const through = (state: Leg['state'], index: number): Leg['state'] => {
    const point = points[index]
    if (point === undefined || pointStops[index]?.state === 'bad') return 'broken'
    return state === 'travels' && uncertain.has(toSubjectKey(pointCase(point))) ? 'depends' : state
  }
  return {
    pages: facts.pages.map((page) => toStop(page, pageCase(page))),
    points: pointStops,
    cookies: facts.cookies.map((cookie): Stop => {
      const { name, domain, path } = cookie.config
      const state = stateOf(cookieCase(cookie)) === 'bad' ? 'bad' : judgeArrival(cookie, stateOfPoint)
      const label = [name, path === '/' ? domain : `${domain}${path}`] as const
      return { name: `${name} (${domain} ${path})`, label, state }
    }),
    /** By the indexes of page and point. */
    calls: facts.pages.slice(0, MOST_ROUTED).flatMap((page, from) =>
      routed.flatMap((point, to) => {
        const state = judgeCall(page.parsed, point.parsed)
        return state === undefined ? [] : [{ from, to, state: through(state, to) } satisfies Leg]
      }),
    ),
    /** By the indexes of point and cookie. */
    carries: facts.cookies.slice(0, MOST_ROUTED).flatMap((cookie, to) => {
      const carry = judgeCarry(cookie)
      return routed.flatMap((point, from) => {
        const state = carry(point)
        return state === undefined ? [] : [{ from, to, state: through(state, from) }]
      })
    }),
  }
}

/** Of a cookie that browsers send: whether it is to a point where nothing fails. */
function judgeArrival(
  { carriage: { kind, sure, maybe } }: CookieFact,
  stateOf: (point: PointFact) => Stop['state'],
): Stop['state'] {
  if (kind === 'sent' && sure.some((point) => stateOf(point) !== 'bad')) return 'good'
  return maybe.some((point) => stateOf(point) !== 'bad') ? 'unsure' : 'bad'
}

/** The state of each subject by its open findings. */
function judgeStates(findings: readonly Finding[]): ReadonlyMap<string, Stop['state']> {
  const states = new Map<string, Stop['state']>()
  for (const finding of findings) {
    const key = toSubjectKey(finding)
    const weight = weigh(finding)
    if (weight === 'error') states.set(key, 'bad')
    if ((weight === 'warning' || isUncertain(finding)) && !states.has(key)) states.set(key, 'unsure')
  }
  return states
}

/** Without the prefix that every point ends with; https goes without saying. */
function describeUrl({ url, origin, scheme }: ParsedUrl, prefix: string): Stop['label'] {
  const whole = url.slice(origin.length)
  const path = (whole.endsWith(prefix) ? whole.slice(0, -prefix.length) : whole.replace(/\/$/, '')) || '/'
  return [scheme === 'https' ? origin.slice('https://'.length) : origin, path]
}

/** Whether it is inconclusive that a point reaches the service at all, or with its Cookie line. */
function isUncertain({ id, outcome }: Finding): boolean {
  return outcome === 'inconclusive' && REACH_RULES.includes(id)
}

/** The widget calls every point of the page's site on any origin, but from an https page no point on http. */
function judgeCall(page: ParsedUrl | undefined, point: ParsedUrl | undefined): Leg['state'] | undefined {
  if (page === undefined || point === undefined || page.site !== point.site) return undefined
  return page.scheme === 'https' && point.scheme === 'http' && !point.loopback ? 'broken' : 'travels'
}

/** Only cookies that no point carries have broken routes: those from the points on their host. */
function judgeCarry({ carriage }: CookieFact): (point: PointFact) => Leg['state'] | undefined {
  const [sure, maybe] = [new Set(carriage.sure), new Set(carriage.maybe)]
  const isLost = carriage.kind === 'no-path' || carriage.kind === 'insecure'
  const wanted = new Set(isLost ? carriage.onHost : [])
  return (point) => {
    if (sure.has(point)) return 'travels'
    if (maybe.has(point)) return 'depends'
    return wanted.has(point) ? 'broken' : undefined
  }
}

const REACH_RULES = 'live/dns live/connect live/tls live/forwarded live/set-cookie'.split(' ')

/** Pages, points or cookies; a map of more would be unreadable. */
const MOST_ROUTED = 200
