/**
 * The site of a host, to compare with another's. **Ours:** of a name below `localhost` it is the last two labels,
 * as browsers have it, for which `localhost` is a public suffix. Every other host is a site of its own: the stand-in
 * has no Public Suffix List, and the service's widget compares registrable domains (spec 4.9, rule 7).
 *
 * @param host without port, as `URL.hostname` writes it
 */
export function siteOf(host: string): string {
  return /(?:^|\.)([^.]+\.localhost)$/.exec(host)?.[1] ?? host
}
