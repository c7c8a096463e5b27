import { apache } from './apache.ts'
import { caddy } from './caddy.ts'
import type { FrontEnd } from './front-end.ts'
import { haproxy } from './haproxy.ts'
import { nginx } from './nginx.ts'

/** Every front end, in the order of help. */
export const frontEnds: readonly FrontEnd[] = [nginx, apache, caddy, haproxy]

/** The front end of a name, or `undefined`. */
export function findFrontEnd(name: string): FrontEnd | undefined {
  return frontEnds.find((each) => each.name === name)
}
