import type { LookupFunction } from 'node:net'

type Callback = Parameters<LookupFunction>[2]

/**
 * A lookup that is asked once for all connections that open at the same time: it takes one of four threads for as long as
 * the name server takes, so that a burst after a pause would wait in line for the same answer. Nothing is kept: a name
 * that moves is followed as before.
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
    lookup(hostname, options, (...answer) => {
      waiting.delete(question)
      for (const each of callbacks) each(...answer)
    })
  }
}
