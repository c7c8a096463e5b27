import type { ForwardTarget } from './forward-target.ts'
import { bodyLimit, forward, LEVEL, processLines, refusals, resolversSection } from './haproxy-whole.ts'
import { indent, separate } from './indent.ts'
import type { SiteOrigin } from './origins.ts'
import type { Part, Step } from './part.ts'
import { quoteRegex } from './regex-quote.ts'
import type { RouteTarget } from './route-target.ts'
import type { Site } from './site.ts'

/** HAProxy includes nothing: backends in a file that it reads beside its own, and a line for each frontend. */
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
      about: 'Where every point goes',
      steps: [
        ...uses,
        ...(target.kind === 'route' ? [] : [keyStep(site)]),
        {
          what: 'Have HAProxy read this file beside haproxy.cfg, on Debian in /etc/default/haproxy',
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
        '# Where TLS ends before HAProxy, write https in place of the expression.',
        'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]',
        ...(clientAddress === 'omit' ? [] : ['http-request set-header X-Forwarded-For %[src]']),
        '# serve believes HAProxy: a client may not say these through it.',
        'http-request del-header X-Forwarded-Host',
        'http-request del-header Forwarded',
        `server serve ${host}:${port}`,
      ],
      LEVEL,
    ),
  ]
}

/** Only what begins as a point does comes this far. */
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
