import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { collectAfterBodies } from '../../../src/proxy/internals/minor-collection.ts'

const MEBIBYTE = 1_048_576

describe('a minor collection', () => {
  it.each<[string, number[], number]>([
    ['is not requested before 8 MiB', [8 * MEBIBYTE - 1], 0],
    ['is requested at 8 MiB', [8 * MEBIBYTE], 1],
    ['counts small pieces together', Array(128).fill(65_536), 1],
    ['is requested again after the same amount', Array(400).fill(65_536), 3],
    ['is requested once for one large piece', [100 * MEBIBYTE], 1],
  ])('%s', (_what, pieces, times) => {
    let asked = 0
    const carry = collectAfterBodies(() => {
      asked += 1
    })
    for (const octets of pieces) carry(octets)
    expect(asked).toBe(times)
  })

  it('is what V8 then runs, and other code can’t call it', async () => {
    const carry = collectAfterBodies()
    const collected = minorCollections(4)
    for (let i = 0; i < 4; i += 1) carry(8 * MEBIBYTE)
    await collected
    expect(runInNewContext('typeof gc')).toBe('undefined')
  })
})

/** Resolves when V8 has done so many; it does none by itself where nothing is allocated. */
function minorCollections(count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as CollectionEntry[]) {
        if (entry.detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) left -= 1
      }
      if (left > 0) return
      observer.disconnect()
      resolve()
    })
    observer.observe({ entryTypes: ['gc'] })
  })
}

type CollectionEntry = PerformanceEntry & { readonly detail: { readonly kind: number } }
