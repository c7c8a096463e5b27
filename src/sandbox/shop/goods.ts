import { html } from 'hono/html'
import type { Markup } from '../look/document.ts'

export interface Good {
  readonly id: string
  readonly name: string
  readonly price: string
  readonly picture: Markup
}

/** Finds what a basket cookie names. The cookie is untrusted. */
export function findGood(id: string | undefined): Good | undefined {
  return GOODS.find((good) => good.id === id)
}

/** The first is in the basket of a new visitor, the second is what an agent puts there. */
export const GOODS: readonly [Good, Good, Good] = [
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
]
