import { expect, it } from 'vitest'
import { advisors } from '../../../src/front-ends/advisors.ts'
import { documented, setUps } from './check-set-ups.ts'
import { remediesOf, UNTRIED } from './remedies.ts'

it.each(advisors)(
  'each remedy of $title is tried on a site that it is for, or there is a reason why not',
  (advisor) => {
    const tried = setUps.filter(({ server }) => server === advisor.name).map(({ remedy }) => remedy)
    const untried = remediesOf(advisor).filter((remedy) => !tried.includes(remedy))
    expect(untried.toSorted()).toEqual(Object.keys(UNTRIED[advisor.name] ?? {}).toSorted())
  },
)

it('documents show reports of existing set-ups', () => {
  expect(documented.size).toBeGreaterThan(0)
  expect([...documented.keys()].filter((name) => !setUps.some((setUp) => setUp.name === name))).toEqual([])
})
