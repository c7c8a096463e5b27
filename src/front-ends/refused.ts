/**
 * Raw request-targets that are refused before matching, since servers interpret them differently: dot segments in any
 * encoding, backslashes, encoded controls, a number sign. For PCRE, case-insensitive.
 */
export const RAW_REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e){1,2}(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)|#`

/** The same, without the number sign, for RE2. */
export const DOTS_REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)`
