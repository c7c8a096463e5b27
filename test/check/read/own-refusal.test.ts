import { describe, expect, it } from 'vitest'
import { readOwnRefusal } from '../../../src/check/read/own-refusal.ts'
import { toAnswer } from '../../../src/forward/answer.ts'
import { FAILURES, type FailureKind } from '../../../src/forward/failure.ts'

describe('a response of this program', () => {
  it.each(Object.keys(FAILURES) as FailureKind[])('of kind %s is recognised', (kind) => {
    const asker = { method: 'GET', accept: ['application/json'], pointRoot: undefined }
    const { status, fields, body } = toAnswer(kind, 'id', {
      ...asker,
      addressed: { authority: 'www.example.com:81', scheme: 'http' },
    })
    const refusal = readOwnRefusal({ kind: 'response', status, fields, body })
    expect(refusal).toMatchObject({ status, reason: kind })
    const isUnowned = FAILURES[kind].error === 'destination_not_found'
    expect(refusal?.authority).toBe(isUnowned ? 'www.example.com:81' : undefined)
    expect(refusal?.scheme).toBe(isUnowned ? 'http' : undefined)
  })

  it.each([
    ['another proxy', ['Proxy-Status', 'cdn.example; error=connection_refused']],
    ['a proxy that only passed it on', ['Proxy-Status', 'continuation-point']],
    ['a name that only begins alike', ['Proxy-Status', 'continuation-point.example; error=dns_error']],
    ['a response without the field', []],
  ])('is not what %s says', (_who, fields) => {
    const body = JSON.stringify({ code: 'unknown-authority' })
    expect(readOwnRefusal({ kind: 'response', status: 502, fields, body })).toBeUndefined()
  })

  it.each(['', '<html>', '[]', 'null', '{"code":1,"arrived":"x"}'])(
    'is recognised by its field alone if the body is %j',
    (body) => {
      const fields = ['proxy-status', 'cdn; hit, continuation-point; error=destination_not_found']
      expect(readOwnRefusal({ kind: 'response', status: 421, fields, body })).toEqual({
        status: 421,
        reason: 'destination_not_found',
        authority: undefined,
        scheme: undefined,
      })
    },
  )
})
