import type { ForwardTarget } from './forward-target.ts'
import { bodyLimit, forward, LEVEL, processLines, refusals, resolversSection } from './haproxy-whole.ts'
import { indent, separate } from './indent.ts'
import type { SiteOrigin } from './origins.ts'
import type { Part, Step } from './part.ts'
import { quoteRegex } from './quote.ts'
import type { RouteTarget } from './route-target.ts'
import type { Site } from './site.ts'

/** HAProxy has no include: backends in a file that it reads in addition to its own, and a line for each frontend. */
export function toHaproxyParts(site: Site): readonly Part[] {
  const { target, origins } = site
  const hosts = [...new Set(origins.map(({ host }) => host))]
  const uses =
    target.kind === 'route'
      ? hosts.map((host) => use('continuation_point', host, originsOf(site, host)))
      : origins.map((origin) => use(backendName(origin), origin.url, [origin]))
  return [
    {
      file: FILE,
      about: 'The backends of the points',
      steps: [
        ...uses,
        ...(target.kind === 'route' ? [] : [keyStep(site)]),
        {
          what: 'Make HAProxy read this file as well as haproxy.cfg, on Debian in /etc/default/haproxy',
          lines: [`EXTRAOPTS="-S /run/haproxy-master.sock -f /etc/haproxy/${FILE}"`],
        },
      ],
      lines: separate([
        ['global', ...indent(processLines(site), LEVEL)],
        ...(target.kind === 'route'
          ? [routeBackend(site, target)]
          : [resolversSection(site), ...origins.map((origin) => forwardBackend(site, target, origin))]),
      ]),
    },
  ]
}

function originsOf({ origins }: Site, host: string): SiteOrigin[] {
  return origins.filter((origin) => origin.host === host)
}

function use(backend: string, name: string, origins: readonly SiteOrigin[]): Step {
  const authorities = [...new Set(origins.flatMap((origin) => origin.authorities))]
  const paths = [...new Set(origins.flatMap(({ points }) => points).map(({ path }) => path))]
  const where = paths.every((path) => /^[A-Za-z0-9/_.~-]+$/.test(path))
    ? `path_beg ${paths.join(' ')}`
    : `path -m reg '^(?:${paths.map(quoteRegex).join('|')})'`
  return {
    what: `In the frontend of ${name}, before its other use_backend lines`,
    lines: [`use_backend ${backend} if { ${where} } { req.hdr(host) -m str -i ${authorities.join(' ')} }`],
  }
}

function keyStep({ origins }: Site): Step {
  const keys = [...new Set(origins.flatMap(({ points }) => points).map(({ keyName }) => keyName))]
  return {
    what: 'HAProxy reads the widget keys from its environment, on Debian from /etc/default/haproxy',
    lines: keys.map((keyName) => `${keyName}=…`),
  }
}

function routeBackend({ clientAddress }: Site, { host, port }: RouteTarget): string[] {
  return [
    'backend continuation_point',
    ...indent(
      [
        '# If TLS ends in front of HAProxy, write https instead of the expression.',
        'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]',
        ...(clientAddress === 'omit' ? [] : ['http-request set-header X-Forwarded-For %[src]']),
        '# serve trusts HAProxy: a client’s own fields must not get through.',
        'http-request del-header X-Forwarded-Host',
        'http-request del-header Forwarded',
        `server serve ${host}:${port}`,
      ],
      LEVEL,
    ),
  ]
}

/** Only paths that begin like a point get here. */
function forwardBackend(site: Site, target: ForwardTarget, origin: SiteOrigin): string[] {
  return [
    `backend ${backendName(origin)}`,
    ...indent(separate([refusals, bodyLimit(site), forward(site, target, origin)]), LEVEL),
  ]
}

function backendName({ url }: SiteOrigin): string {
  return `continuation_${url.replace('://', '_').replace(/[^A-Za-z0-9._-]/g, '_')}`
}

const FILE = 'continuation-point.cfg'
