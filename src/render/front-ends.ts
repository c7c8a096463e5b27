import type { FrontEnd } from './front-end.ts'
import { nginx } from './nginx.ts'

/** Every front end, in the order of help. */
export const frontEnds: readonly FrontEnd[] = [nginx]

/** The front end of a name, or `undefined`. */
export function findFrontEnd(name: string): FrontEnd | undefined {
  return frontEnds.find((each) => each.name === name)
}
