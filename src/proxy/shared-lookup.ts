import type { LookupFunction } from 'node:net'

type Callback = Parameters<LookupFunction>[2]

/**
 * Does one lookup for all connections that open at the same time. Each lookup occupies one of four threads until the name
 * server answers, so a burst after a pause would queue up for the same result. Nothing is cached: changes in DNS take
 * effect as before.
 */
export function shareLookups(lookup: LookupFunction): LookupFunction {
  const waiting = new Map<string, Callback[]>()
  return (hostname, options, callback) => {
    const question = JSON.stringify([hostname, options.family, options.hints, options.all, options.order])
    const others = waiting.get(question)
    if (others !== undefined) {
      others.push(callback)
      return
    }
    const callbacks = [callback]
    waiting.set(question, callbacks)
    lookup(hostname, options, (...result) => {
      waiting.delete(question)
      for (const each of callbacks) each(...result)
    })
  }
}
