import type { Faults, Passing } from './front-end.ts'

/** A front end that does one thing wrong, and the rules that must say so, and no others. */
export interface BadFrontEnd {
  readonly name: string
  readonly blamed: readonly string[]
  readonly faults: Faults
  /** With a page on another origin. */
  readonly across?: true
}

export function bad(name: string, blamed: string, faults: Faults): BadFrontEnd {
  return { name, blamed: [blamed], faults }
}

export function page(status: number, text: string): Partial<Passing> {
  return { status, fields: ['Content-Type', 'text/html'], body: Buffer.from(text) }
}
