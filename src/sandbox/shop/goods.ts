import { html } from 'hono/html'
import type { Markup } from '../look/document.ts'

export interface Good {
  readonly id: string
  readonly name: string
  readonly price: string
  readonly picture: Markup
}

/** What distinguishes the demo shops at a glance. */
export interface Brand {
  /** For its colours in the style sheet. */
  readonly id: 'oak' | 'birch'
  readonly name: string
  readonly headline: string
  /** A name for all its goods. */
  readonly range: string
  /** The first is in the basket of a new visitor, the second is what an agent puts there. */
  readonly goods: readonly [Good, Good, Good]
}

/** Finds what a basket cookie names. The cookie is untrusted. */
export function findGood(id: string | undefined): Good | undefined {
  return [OAK_AND_LUMEN, BIRCH_AND_BEAM].flatMap(({ goods }) => goods).find((good) => good.id === id)
}

export const OAK_AND_LUMEN: Brand = {
  id: 'oak',
  name: 'Oak & Lumen',
  headline: 'Lamps for long evenings',
  range: 'Lamps',
  goods: [
    {
      id: 'oak-lamp',
      name: 'Oak table lamp',
      price: '€ 89',
      picture: html`<path d="M118 78h84l22 66H96z" fill="#f2b134"/><rect x="153" y="144" width="14" height="48" fill="#9a6b3f"/><rect x="120" y="190" width="80" height="12" rx="6" fill="#7b5330"/>`,
    },
    {
      id: 'globe-pendant',
      name: 'Globe pendant',
      price: '€ 124',
      picture: html`<path d="M158 0h4v84h-4z" fill="#6d7f79"/><circle cx="160" cy="132" r="52" fill="#ffd98a"/><path d="M140 76h40v14h-40z" fill="#0f766e"/>`,
    },
    {
      id: 'reading-arm',
      name: 'Reading arm',
      price: '€ 156',
      picture: html`<path d="M106 202V118l84-58" fill="none" stroke="#0f766e" stroke-width="10" stroke-linejoin="round" stroke-linecap="round"/><path d="m176 40 52 34-34 36-32-42z" fill="#f2b134"/><rect x="66" y="196" width="80" height="12" rx="6" fill="#2b8f86"/>`,
    },
  ],
}

export const BIRCH_AND_BEAM: Brand = {
  id: 'birch',
  name: 'Birch & Beam',
  headline: 'Seats for slow mornings',
  range: 'Seats',
  goods: [
    {
      id: 'birch-stool',
      name: 'Birch stool',
      price: '€ 74',
      picture: html`<rect x="96" y="92" width="128" height="18" rx="9" fill="#d9b88f"/><path d="m116 110-18 92M204 110l18 92M108 160h104" fill="none" stroke="#8a6a45" stroke-width="10" stroke-linecap="round"/>`,
    },
    {
      id: 'lounge-chair',
      name: 'Lounge chair',
      price: '€ 420',
      picture: html`<path d="m112 44 24 88h96" fill="none" stroke="#a04aa8" stroke-width="30" stroke-linejoin="round" stroke-linecap="round"/><path d="m136 150-22 52M222 150l20 52" fill="none" stroke="#8a6a45" stroke-width="9" stroke-linecap="round"/>`,
    },
    {
      id: 'garden-bench',
      name: 'Garden bench',
      price: '€ 265',
      picture: html`<path d="M62 78h196M62 104h196" stroke="#d9b88f" stroke-width="16" stroke-linecap="round"/><rect x="52" y="132" width="216" height="18" rx="9" fill="#b98fc0"/><path d="M80 150v52M240 150v52" stroke="#6f4677" stroke-width="11" stroke-linecap="round"/>`,
    },
  ],
}
