import type { Advisor } from './advisor.ts'
import { advisor as apache } from './apache/advisor.ts'
import { advisor as caddy } from './caddy/advisor.ts'
import { advisor as haproxy } from './haproxy/advisor.ts'
import { mounted } from './mounted.ts'
import { advisor as nginx } from './nginx/advisor.ts'

/** All advisors, in the order of findings. With the rest of each front end, `check` would take 4 ms longer to start. */
export const advisors: readonly Advisor[] = [nginx, apache, caddy, haproxy, mounted]
