import type { LookupFunction } from 'node:net'
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { shareLookups } from '../../src/proxy/shared-lookup.ts'
import { openUpstream } from '../../src/proxy/upstream.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'

type Answer = Parameters<Parameters<LookupFunction>[2]>

describe('lookups in progress are shared', () => {
  it.each<[string, [string, object][], number]>([
    [
      'one name, asked three times at once',
      [
        ['a', {}],
        ['a', {}],
        ['a', {}],
      ],
      1,
    ],
    [
      'two names',
      [
        ['a', {}],
        ['b', {}],
      ],
      2,
    ],
    [
      'one name, other families',
      [
        ['a', { family: 4 }],
        ['a', { family: 6 }],
      ],
      2,
    ],
    [
      'one name, one address or all',
      [
        ['a', { all: true }],
        ['a', { all: false }],
      ],
      2,
    ],
    [
      'one name, other order',
      [
        ['a', { order: 'ipv4first' }],
        ['a', { order: 'verbatim' }],
      ],
      2,
    ],
  ])('%s', (_what, questions, times) => {
    const { asked, answer, lookup } = scripted()
    const answers: Answer[] = []
    for (const [name, options] of questions) lookup(name, options, (...given) => answers.push(given))
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

// With a name server 20 ms away, 100 connections that opened at once waited a second: four threads look names up.
it('connections to the service that open at once look its name up once', async () => {
  const service = await startUpstream(answerOk)
  const upstream = openUpstream({
    origin: service.origin.replace('127.0.0.1', 'localhost'),
    extraCa: undefined,
    connectTimeoutMs: 10_000,
    connections: 16,
    connectionAgeMs: 60_000,
  })
  onTestFinished(async () => {
    await upstream.destroy()
    await service.close()
  })
  const lookups: string[] = []
  const observer = new PerformanceObserver((list) => void lookups.push(...list.getEntries().map(toName)))
  observer.observe({ entryTypes: ['dns'] })
  const get = () =>
    new Promise<void>((resolve, reject) => {
      upstream.send(
        { method: 'GET', path: '/', fields: ['Host', service.authority], body: undefined },
        {
          onStart: () => {},
          onSent: () => {},
          onHead: () => {},
          onData: () => 'continue',
          onEnd: resolve,
          onFailure: (kind) => reject(new Error(kind)),
        },
      )
    })
  await Promise.all(Array.from({ length: 16 }, get))
  expect(service.sockets).toHaveLength(16)
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
