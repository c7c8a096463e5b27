import { findCalledPoints } from '../carriage.ts'
import type { Facts, PointFact } from '../facts.ts'
import type { LiveFact } from '../read/live-fact.ts'
import { serviceAsker } from './ask-service.ts'
import { type LiveSource, observePoint } from './observe-point.ts'

/** Asks every point that can be asked, a few at a time. The rules judge the answers. */
export async function gatherLive(
  facts: Facts,
  source: LiveSource,
): Promise<ReadonlyMap<PointFact, LiveFact>> {
  const { service } = facts
  const askService = service && serviceAsker(service.parsed, source.serviceProbe)
  const found = new Map<PointFact, LiveFact>()
  const waiting = findCalledPoints(facts).entries()
  const worker = async () => {
    for (const [index, point] of waiting) {
      const runId = `${source.runId}p${index}`
      found.set(point, await observePoint(point, facts, askService, { ...source, runId }))
    }
  }
  await Promise.all(Array.from({ length: POINTS_AT_ONCE }, worker))
  return found
}

/** Every host that will be contacted, as `host:port`. */
export function findContacts(facts: Facts): readonly string[] {
  const parsedUrls = [...findCalledPoints(facts).map(({ parsed }) => parsed), facts.service?.parsed]
  return [...new Set(parsedUrls.flatMap((parsed) => (parsed ? [new URL(parsed.url).host] : [])))]
}

const POINTS_AT_ONCE = 3
