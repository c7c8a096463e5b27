import type { FrontEnd } from '../front-end.ts'
import { groupByHost } from '../origins.ts'
import { wholeFile } from '../part.ts'
import { decodeText } from '../quote.ts'
import { type Site, toTargetUrl, toWaitMs } from '../site.ts'
import { renderYaml } from '../yaml.ts'

export const h2o: FrontEnd = {
  name: 'h2o',
  title: 'H2O',
  output: 'Hosts and paths for h2o.conf, for H2O 2.2.5 or later.',
  without: { forward: 'H2O sets no field of a request: use --mode route, and serve does that' },
  reasonAgainst,
  gaps: [
    'The service gets the address of H2O and not that of the client.',
    'X-Request-Id of a client reaches the service; serve logs its own id.',
    'An encoded letter of a point’s path is read as that letter.',
  ],
  parts: (site) => wholeFile('continuation-point.yaml', render(site)),
}

/** H2O forwards the client's own X-Forwarded-Host: if serve believed it, the client could choose the point. */
function reasonAgainst({ trustedBlocks, origins }: Site): string | undefined {
  if (trustedBlocks.length > 0) {
    return 'H2O passes on what clients say in X-Forwarded-Host: set listen.trustedProxies to [], so that serve ignores it'
  }
  const hosts = origins.flatMap(({ authorities }) => authorities[0] ?? [])
  if (new Set(hosts).size < hosts.length) {
    return 'H2O does not tell serve the scheme, and a host of the config has points on http and on https'
  }
  const paths = origins.flatMap(({ points }) => points.map(({ path }) => path))
  return paths.some((path) => /%[01][0-9a-f]|%7f/i.test(path))
    ? 'a path in H2O’s config can’t contain control characters'
    : undefined
}

function render(site: Site): readonly string[] {
  const toPath = (path: string) => ({
    'proxy.reverse.url': `${toTargetUrl(site.target)}${path}`,
    'proxy.preserve-host': 'ON',
    '# serve times out first, and its answer says why.': 0,
    'proxy.timeout.io': toWaitMs(site),
    '# Answers are passed unchanged, and H2O obeys none of their fields.': 0,
    compress: 'OFF',
    reproxy: 'OFF',
  })
  const hosts = groupByHost(site.origins).map(({ host, paths }) => {
    const bare = paths.map((path) => path.slice(0, -1))
    return [host, { paths: Object.fromEntries(bare.map((path) => [decoded(path), toPath(path)])) }] as const
  })
  return [
    '# H2O in front of `continuation-point serve`: routes the continuation points to it.',
    '#',
    '# Put the paths of each host next to those that it has in h2o.conf. Check it with: h2o -t -c /etc/h2o/h2o.conf',
    '# serve must not trust H2O (listen.trustedProxies is []), which forwards a client’s own X-Forwarded-Host.',
    ...renderYaml({ hosts: Object.fromEntries(hosts) }),
  ]
}

/** H2O compares decoded paths; one that is not UTF-8 stays as it is written. */
function decoded(path: string): string {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeText)
}
