import { describe, expect, it } from 'vitest'
import { mayFollow, PHASES, type Phase } from '../../src/proxy/exchange-phase.ts'

const followers = (phase: Phase) => PHASES.filter((next) => mayFollow(phase, next))

/** Every way from a phase on which none is entered twice. */
function waysFrom(phase: Phase, before: readonly Phase[] = []): readonly (readonly Phase[])[] {
  const way = [...before, phase]
  const next = followers(phase).filter((each) => !way.includes(each))
  return next.length === 0 ? [way] : next.flatMap((each) => waysFrom(each, way))
}

describe('the phases of an exchange', () => {
  it('all end as closed, whichever way they take', () => {
    const ways = waysFrom('new')
    expect(ways.length).toBeGreaterThan(10)
    expect(ways.filter((way) => way.at(-1) !== 'closed')).toEqual([])
  })

  it('are all on some way', () => {
    expect(PHASES.filter((phase) => !waysFrom('new').flat().includes(phase))).toEqual([])
  })

  it('never lead back, but for a request that is sent again', () => {
    const order: readonly Phase[] = PHASES
    const back = order.flatMap((phase, i) =>
      followers(phase)
        .filter((next) => order.indexOf(next) <= i)
        .map((next) => `${phase} ▶ ${next}`),
    )
    expect(back).toEqual(['uploading ▶ uploading', 'waiting ▶ waiting'])
  })

  it.each(PHASES.filter((phase) => phase !== 'flushing' && phase !== 'closed'))(
    '%s may end in an answer of ours or a complete response',
    (phase) => {
      expect(mayFollow(phase, 'flushing')).toBe(true)
    },
  )
})
