import { type Good, LAMPS, SEATS } from './goods.ts'

/** What tells one demo shop from the other at a glance. */
export interface Brand {
  /** Names its colours in the style sheet. */
  readonly id: 'oak' | 'birch'
  readonly name: string
  readonly headline: string
  /** What its goods are called together. */
  readonly range: string
  readonly goods: readonly Good[]
  /** What lies in the basket of a new visitor. */
  readonly first: Good['id']
  /** What an agent puts there. */
  readonly better: Good['id']
}

export const OAK_AND_LUMEN: Brand = {
  id: 'oak',
  name: 'Oak & Lumen',
  headline: 'Lamps for long evenings',
  range: 'Lamps',
  goods: LAMPS,
  first: 'oak-lamp',
  better: 'globe-pendant',
}

export const BIRCH_AND_BEAM: Brand = {
  id: 'birch',
  name: 'Birch & Beam',
  headline: 'Seats for slow mornings',
  range: 'Seats',
  goods: SEATS,
  first: 'birch-stool',
  better: 'lounge-chair',
}
