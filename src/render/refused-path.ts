/**
 * A pattern without case for paths that servers read in different ways: dot segments however spelled, backslashes, and
 * encoded NUL, CR and LF. `serve` refuses them, and so does a function that stands in for it.
 */
export const REFUSED_PATH = String.raw`(?:^|/|%2f|%5c|\\)(?:\.|%2e){1,2}(?:$|/|%2f|%5c|\\)|\\|%0[0ad]`
