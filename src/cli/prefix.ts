import { judgePrefix } from '../config/judge.ts'
import type { ValueOption } from './command.ts'

/** The flag of commands that work with another vendor's path than the default. */
export const prefixOption = {
  value: 'PATH',
  summary: 'the vendor’s path, with which every point ends (default: /service_cookie_transfer/)',
} as const satisfies ValueOption

/** Why this can't be the value of the flag. */
export function findPrefixFault(prefix: string | undefined): string | undefined {
  const reason = prefix === undefined ? undefined : judgePrefix(prefix)
  return reason && `--prefix ${JSON.stringify(prefix)}: ${reason}`
}
