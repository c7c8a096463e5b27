import { type Good, LAMPS, SEATS } from './goods.ts'

/** What distinguishes the demo shops at a glance. */
export interface Brand {
  /** For its colours in the style sheet. */
  readonly id: 'oak' | 'birch'
  readonly name: string
  readonly headline: string
  /** A name for all its goods. */
  readonly range: string
  readonly goods: readonly Good[]
  /** In the basket of a new visitor. */
  readonly first: Good['id']
  /** What an agent puts into the basket. */
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
