import type { Probe } from '../../probe/probe.ts'
import type { Facts, PageFact } from '../facts.ts'
import { type PageAnswer, toPageAnswer } from '../read/page-answer.ts'
import { openAddress } from '../read/reach.ts'
import { observeReach, toEndpoint } from './observe-reach.ts'

/** Asks every page once, one after the other; redirects are not followed. */
export async function observePages(
  { pages }: Facts,
  probe: Probe,
): Promise<ReadonlyMap<PageFact, PageAnswer>> {
  const found = new Map<PageFact, PageAnswer>()
  for (const page of pages.slice(0, MOST_PAGES)) {
    if (page.place !== undefined) found.set(page, await observePage(page.place.url, probe))
  }
  return found
}

async function observePage(url: string, probe: Probe): Promise<PageAnswer> {
  const endpoint = toEndpoint(url)
  const reach = await observeReach(endpoint, probe)
  if (reach.resolution.kind !== 'resolved') {
    const isTold = reach.resolution.kind === 'unresolved' ? 'yes' : 'no'
    return { kind: 'none', why: 'its host does not resolve', isTold }
  }
  const address = openAddress(reach)
  const [attempt] = reach.attempts
  if (address === undefined) {
    const cause = attempt?.connection.kind === 'unconnected' ? attempt.connection.cause : 'timeout'
    return toPageAnswer({ kind: 'none', cause, code: cause })
  }
  const { pathname, search } = new URL(url)
  const fields = ['Accept', 'text/html,*/*;q=0.5']
  const target = `${pathname}${search}`
  return toPageAnswer(await probe.send(endpoint, address, { method: 'GET', target, fields, body: undefined }))
}

const MOST_PAGES = 20
