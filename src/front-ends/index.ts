import { apache } from './apache/index.ts'
import { caddy } from './caddy/index.ts'
import { haproxy } from './haproxy/index.ts'
import { nginx } from './nginx/index.ts'
import type { FrontEnd } from './part.ts'

/** All front ends, in the order of help. */
export const frontEnds: readonly FrontEnd[] = [nginx, apache, caddy, haproxy]

export function findFrontEnd(name: string): FrontEnd | undefined {
  return frontEnds.find((each) => each.name === name)
}
