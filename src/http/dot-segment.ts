/**
 * Finds a dot segment in a raw path, however it is spelled: `.` or `..`, each dot plain or `%2e`, bounded by `/`,
 * `%2f`, `\` or `%5c` or by either end of the path. Encoding is considered once: a doubly encoded one (`%252e`) is not
 * a dot segment, and neither is `..;` or `..foo`.
 *
 * RFC 3986 section 3.3 defines dot segments by their decoded octets; section 6.2.2.2 makes `%2e` equivalent to `.`.
 * **Ours:** encoded slashes and backslashes bound a segment, since servers behind a proxy often decode them first.
 *
 * @returns the segment as written, or `undefined`
 */
export function findDotSegment(path: string): string | undefined {
  if (!path.includes('.') && !/%2e/i.test(path)) return undefined
  for (const segment of path.split(/\/|%2f|\\|%5c/i)) {
    if (/^(?:\.|%2e){1,2}$/i.test(segment)) return segment
  }
  return undefined
}
