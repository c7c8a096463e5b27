import type { LookupFunction } from 'node:net'
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { shareLookups } from '../../src/proxy/addresses.ts'
import { answerOk } from '../support/recording-upstream.ts'
import { goRound, openConnections } from './round-trip.ts'

type LookupOptions = Parameters<LookupFunction>[1]
type Answer = Parameters<Parameters<LookupFunction>[2]>

describe('lookups in progress are shared', () => {
  it.each([
    ['one name, asked three times at once', 'aaa', [{}, {}, {}], 1],
    ['two names', 'ab', [{}, {}], 2],
    ['one name, other families', 'aa', [{ family: 4 }, { family: 6 }], 2],
    ['one name, one address or all', 'aa', [{ all: true }, { all: false }], 2],
    ['one name, other order', 'aa', [{ order: 'ipv4first' }, { order: 'verbatim' }], 2],
  ])('%s', (_what, names, questions, times) => {
    const { asked, answer, lookup } = scripted()
    const answers: Answer[] = []
    for (const [i, options] of questions.entries())
      lookup(names[i] ?? '', options as LookupOptions, (...given) => answers.push(given))
    expect(asked).toHaveLength(times)
    answer([null, '127.0.0.1', 4])
    expect(answers).toEqual(questions.map(() => [null, '127.0.0.1', 4]))
  })

  it('gives every caller the error, and keeps nothing', () => {
    const { asked, answer, lookup } = scripted()
    const answers: Answer[] = []
    const ask = () => lookup('a', {}, (...given) => answers.push(given))
    const error = new Error('ENOTFOUND')
    ask()
    ask()
    answer([error, ''])
    expect(answers).toEqual([
      [error, ''],
      [error, ''],
    ])
    ask()
    expect(asked).toHaveLength(2)
    answer([null, '::1', 6])
    expect(answers.at(-1)).toEqual([null, '::1', 6])
  })
})

// With a name server 20 ms away, 100 connections that opened at once waited a second: four threads look names up, and read
// files. With a silent one, each reload took one more of them, until a config could not be read for half a minute.
it('connections that open at once look the name up once, also those of several configs', async () => {
  const configs = await Promise.all([1, 2].map(() => openConnections(answerOk, { connections: 16 })))
  const lookups: string[] = []
  const observer = new PerformanceObserver((list) => void lookups.push(...list.getEntries().map(toName)))
  observer.observe({ entryTypes: ['dns'] })
  const rounds = configs.flatMap((opened) =>
    Array.from({ length: 16 }, () => goRound(opened, () => 'continue')),
  )
  await Promise.all(rounds)
  for (const { service } of configs) expect(service.sockets).toHaveLength(16)
  lookups.push(...observer.takeRecords().map(toName))
  observer.disconnect()
  expect(lookups).toEqual(['localhost'])
})

const toName = ({ detail }: PerformanceEntry & { readonly detail?: unknown }) =>
  (detail as { readonly hostname: string }).hostname

/** A resolver that answers when it is told to. */
function scripted() {
  const asked: ((...answer: Answer) => void)[] = []
  const lookup = shareLookups((_name, _options, callback) => void asked.push(callback))
  return {
    asked,
    lookup,
    answer: (given: Answer) => {
      for (const callback of asked) callback(...given)
    },
  }
}
