import {
  CACHE_OVERRIDES,
  CLIENT_ADDRESS,
  FORWARDED_PREFIX,
  FRAMING,
  FRONT_END_ORDERS,
  HOP_BEFORE,
  ORIGIN_WIDE,
  OWNED,
} from '../forward/field-rules.ts'
import { HOP_BY_HOP_NAMES } from '../http/hop-by-hop.ts'
import type { Site } from './site.ts'

/*
 * The field rules for front ends. They can't express "what Connection lists", and few "any spelling": names are listed.
 */

/** Removed from a request to the service: fields about the previous hop, and those that are handled here. */
export function requestRemoved({ clientAddress }: Site): readonly string[] {
  const address = clientAddress === 'omit' ? ['X-Forwarded-For', ...CLIENT_ADDRESS] : []
  return [...HOP_BEFORE, ...HOP_BY_HOP_LISTED, ...address]
}

/**
 * Removed from a response: what would affect more of the customer's site than the response. Cache overrides are always
 * removed, since most front ends can't check Cache-Control; caches then obey Cache-Control.
 */
export const RESPONSE_REMOVED: readonly string[] = [...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES]

/**
 * Spellings that CGI-style servers take for a removed field, for front ends that remove fields only by name: of owned
 * fields all combinations with an underscore, of others only the one without hyphens.
 */
export function underscoreAliases({ clientAddress }: Site): readonly string[] {
  const others = [
    ...[...FRAMING, `${FORWARDED_PREFIX}For`, ...HOP_BEFORE],
    ...(clientAddress === 'omit' ? CLIENT_ADDRESS : []),
  ]
  return [
    ...OWNED.flatMap(underscoreSpellings),
    ...others.filter((name) => name.includes('-')).map((name) => name.replaceAll('-', '_')),
  ]
}

/** The same as `requestRemoved`, and every spelling that CGI-style servers take for it, as a pattern for lower-case names. */
export function requestPattern(site: Site): string {
  const anySpelling = [
    ...OWNED,
    `${FORWARDED_PREFIX}.*`,
    ...(site.clientAddress === 'omit' ? CLIENT_ADDRESS : []),
  ]
  const alternatives = [
    ...requestRemoved(site).filter((name) => !name.startsWith(FORWARDED_PREFIX)),
    ...anySpelling.map((name) => name.replaceAll('-', '[^a-z0-9]')),
    ...FRAMING.map((name) => name.replace('-', '[^a-z0-9-]')),
  ]
  return `^(${alternatives.join('|').toLowerCase()})$`
}

/** Every way to write at least one hyphen of a name as an underscore. */
function underscoreSpellings(name: string): string[] {
  const [first = '', ...others] = name.split('-')
  const spellings = others.reduce(
    (starts, part) => ['_', '-'].flatMap((separator) => starts.map((start) => `${start}${separator}${part}`)),
    [first],
  )
  return spellings.filter((spelling) => spelling !== name)
}

/** Front ends handle framing and Connection themselves. */
const HOP_BY_HOP_LISTED = HOP_BY_HOP_NAMES.filter(
  (name) => !['Connection', 'Transfer-Encoding'].includes(name),
)
