/**
 * Raw request-targets that are refused before anything is matched, since servers disagree about what they mean: dot
 * segments however spelled, backslashes, encoded controls, a number sign. For PCRE, without case.
 */
export const RAW_REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e){1,2}(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)|#`
