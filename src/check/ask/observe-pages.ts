import type { Secret } from '../../config/secret.ts'
import { type Probe, type ProbeReply, parseEndpoint } from '../../probe/probe.ts'
import type { Facts, PageFact } from '../facts.ts'
import { openAddress } from '../read/live-fact.ts'
import { findEnd, findNextUrl, type PageVisit, readCookies, readLastAnswer } from '../read/page-visit.ts'
import type { WidgetMarks } from '../read/widget-sign.ts'
import { observeReach } from './ask-service.ts'
import { withPatience } from './asker.ts'

interface PageSource {
  readonly probe: Probe
  /** The REST root of the service, if known. */
  readonly api: string | undefined
  /** Of every account of the config. A page contains one; they are only compared with it, never sent. */
  readonly widgetKeys: readonly Secret[]
}

/** Opens every page as a first-time visitor would, one after another. */
export async function observePages(
  { pages, service }: Pick<Facts, 'pages' | 'service'>,
  { probe, api, widgetKeys }: PageSource,
): Promise<ReadonlyMap<PageFact, PageVisit>> {
  const marks: WidgetMarks = {
    authorities: [service?.parsed.url, api].flatMap((url) => (url === undefined ? [] : [new URL(url).host])),
    keys: widgetKeys.map((key) => key.reveal()),
  }
  const found = new Map<PageFact, PageVisit>()
  const ask = withPatience<string>((url, mostMs) => open(url, mostMs, probe), PATIENCE_MS)
  for (const page of pages.slice(0, MOST_PAGES)) {
    if (page.parsed !== undefined) found.set(page, await visit(page.parsed.url, ask, marks))
  }
  return found
}

/** Follows redirects within the site, as a browser does. */
async function visit(
  first: string,
  ask: (url: string) => Promise<ProbeReply>,
  marks: WidgetMarks,
): Promise<PageVisit> {
  const visited: [string, ...string[]] = [first]
  const cookies: PageVisit['cookies'] = []
  for (let url = first; ; ) {
    const reply = await ask(url)
    cookies.push(...readCookies(url, reply))
    const to = findNextUrl(url, reply)
    if (to === undefined) return { ...readLastAnswer(url, reply, visited.length > 1, marks), cookies }
    const end = findEnd(visited, to)
    if (end !== undefined) return { kind: 'redirect', to, end, cookies }
    visited.push(to)
    url = to
  }
}

async function open(url: string, mostMs: number, probe: Probe): Promise<ProbeReply> {
  const endpoint = parseEndpoint(url)
  const reach = await observeReach(endpoint, probe)
  if (reach.resolution.kind !== 'resolved') {
    const cause = reach.resolution.kind === 'unresolved' ? 'unresolved' : 'unroutable'
    return { kind: 'none', cause, code: reach.resolution.code }
  }
  const address = openAddress(reach)
  if (address === undefined) {
    const [attempt] = reach.attempts
    const cause = attempt?.connection.kind === 'unconnected' ? attempt.connection.cause : 'timeout'
    return { kind: 'none', cause, code: cause }
  }
  const { pathname, search } = new URL(url)
  const target = `${pathname}${search}`
  const fields = ['Accept', 'text/html,*/*;q=0.5']
  const request = { method: 'GET', target, fields, body: undefined, bodyBytes: MOST_PAGE_BYTES, mostMs }
  return probe.send(endpoint, address, request)
}

const MOST_PAGES = 20
/** For all pages together. */
const PATIENCE_MS = 30_000
const MOST_PAGE_BYTES = 1_048_576
