import { block } from '../indent.ts'
import type { SiteOrigin } from '../origins.ts'
import { quoteDecodedRegex, quoteNginx, quoteRegex } from '../quote.ts'

/** nginx matches decoded paths: a path with encoded bytes is matched by a pattern of bytes. */
export function renderLocationMatch(path: string): string {
  return path.includes('%') ? `~ "^${quoteDecodedRegex(path)}"` : `^~ ${quoteNginx(path)}`
}

/** Sets `$continuation_origin`: by the host alone if it has one origin, else by the scheme, and by the port if need be. */
export function renderOriginMap(origins: readonly SiteOrigin[]): string[] {
  const entries = origins.map(({ url, scheme, host, authorities }) => {
    const others = origins.filter((other) => other.host === host && other.url !== url)
    const start = others.length === 0 ? '' : `^${scheme}`
    const isOneOfPorts = others.some((other) => other.scheme === scheme)
    const port = isOneOfPorts ? `${authorities.at(-1)?.slice(host.length)}$` : ':'
    return `"~${start}${quoteRegex(`://${host}`)}${port}" ${url};`
  })
  return block('map $scheme://$host:$server_port $continuation_origin', entries)
}

/** Sets `$continuation_path`, the path for the service; empty if the origin, or the path as received, has no point. */
export function renderPathMap(origins: readonly SiteOrigin[]): string[] {
  const entries = origins.flatMap(({ url, points }) =>
    points.map(({ path, strippedPath }) => {
      const kept = quoteRegex(path.slice(strippedPath.length))
      return `"~^${quoteRegex(`${url}${strippedPath}`)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
    }),
  )
  return block('map $continuation_origin$request_uri $continuation_path', [`"~*${REFUSED}" "";`, ...entries])
}

/** A response of nginx itself; `return` is the only safe directive in an `if` inside a location. */
export function renderRefusal(condition: string, status: number): string[] {
  return block(`if (${condition})`, [`return ${status};`])
}

/** What servers interpret differently: dot segments in any encoding, backslashes, encoded controls, a number sign. */
const REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e){1,2}(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)|#`
