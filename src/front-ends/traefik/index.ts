import { NOT_STORED } from '../../forward/field-rules.ts'
import { RESPONSE_REMOVED, ROUTE_REMOVED, requestRemoved, underscoreAliases } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import type { SiteOrigin, SitePoint } from '../origins.ts'
import { wholeFile } from '../part.ts'
import { decodeText } from '../quote.ts'
import { describePurpose, type Site, toTargetUrl, toWaitMs } from '../site.ts'
import { renderYaml, type Yaml } from '../yaml.ts'

export const traefik: FrontEnd = {
  name: 'traefik',
  title: 'Traefik',
  output: 'A dynamic configuration for the file provider, for Traefik 3.',
  gaps: [
    'A point without its last slash is not redirected.',
    'Rules match the decoded path; it is forwarded as Go encodes it.',
    'Other spellings of our fields are removed only if they have an underscore.',
    'Cache-Control of the service is replaced by "private, no-store" in forward mode.',
    'Traefik removes a client’s request id and makes none, so in forward mode the service gets none.',
    'limits.bodyBytes is not kept in forward mode.',
    'Limits of request heads, and trusted proxies for X-Forwarded-For, are set in the static configuration of the entry points.',
  ],
  parts: (site) => wholeFile('continuation-point.yml', render(site)),
}

function render(site: Site): readonly string[] {
  const { target, headerBytes, trustedBlocks, bodyBytes } = site
  const isRoute = target.kind === 'route'
  const routes = site.origins
    .flatMap((origin) => origin.points.map((point) => ({ ...origin, ...point })))
    .map((route, index) => ({ ...route, number: index + 1 }))
  return [
    `# ${describePurpose('Traefik', site)}`,
    '#',
    '# The entry points are called web (http) and websecure (https) here. Their static configuration needs',
    `#   http.maxHeaderBytes: ${headerBytes}`,
    ...(trustedBlocks.length === 0 ? [] : [`#   forwardedHeaders.trustedIPs: ${trustedBlocks.join(',')}`]),
    ...(isRoute || bodyBytes === undefined
      ? []
      : ['# limits.bodyBytes is not enforced: the service has to limit bodies itself.']),
    ...(isRoute ? [] : ['# Widget keys are read from the environment of Traefik.']),
    ...renderYaml({
      http: {
        routers: Object.fromEntries(routes.map((route) => [`continuation-${route.number}`, router(route)])),
        middlewares: Object.fromEntries(routes.flatMap((route) => middlewares(site, route))),
        services: {
          continuation: {
            loadBalancer: {
              '# serve needs the original Host; the service its own.': '',
              passHostHeader: isRoute,
              serversTransport: 'continuation',
              responseForwarding: { flushInterval: '-1ms' },
              servers: [{ url: toTargetUrl(target) }],
            },
          },
        },
        serversTransports: { continuation: transport(site) },
      },
    }),
  ]
}

/** A point with its origin, and its place in the config. */
type Route = SiteOrigin & SitePoint & { readonly number: number }

function router({ scheme, host, path, strippedPath, number }: Route): Yaml {
  const strip = strippedPath === '' ? [] : [`continuation-strip-${number}`]
  return {
    rule: `Host(${JSON.stringify(host)}) && PathPrefix(${JSON.stringify(decodeText(path))})`,
    '# Before all rules of the site.': '',
    priority: 100_000,
    entryPoints: [scheme === 'https' ? 'websecure' : 'web'],
    tls: scheme === 'https' ? {} : undefined,
    middlewares: [...strip, `continuation-fields-${number}`],
    service: 'continuation',
  }
}

function middlewares(site: Site, route: Route): [name: string, Yaml][] {
  const { strippedPath, number } = route
  const strip: Yaml = { stripPrefix: { prefixes: [decodeText(strippedPath)] } }
  const fields: [string, Yaml] = [`continuation-fields-${number}`, { headers: renderFields(site, route) }]
  return strippedPath === '' ? [fields] : [[`continuation-strip-${number}`, strip], fields]
}

function renderFields(site: Site, { url, scheme, keyName }: Route): Yaml {
  const removed = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']))
  const note = { '# An empty value removes a field.': '' }
  if (site.target.kind === 'route') {
    return { customRequestHeaders: { ...note, ...removed(ROUTE_REMOVED), 'X-Forwarded-Proto': scheme } }
  }
  const others = ['X-Forwarded-Prefix', 'X-Real-IP', 'X-Request-Id']
  return {
    customRequestHeaders: {
      ...note,
      ...removed([...underscoreAliases(site), ...requestRemoved(site), ...others]),
      'X-Continuation-Origin': url,
      '# Replaced by Traefik when it reads this file.': '',
      'X-Widget-Key': `{{ env \`${keyName}\` }}`,
    },
    customResponseHeaders: {
      '# These would affect more of the site than this response.': '',
      ...removed(RESPONSE_REMOVED),
      'Cache-Control': NOT_STORED,
    },
  }
}

function transport(site: Site): Yaml {
  const { target, connectMs } = site
  const isSecure = target.kind === 'forward' && target.scheme === 'https'
  return {
    ...(isSecure && { serverName: target.host, rootCAs: [target.caFile] }),
    forwardingTimeouts: { dialTimeout: `${connectMs}ms`, responseHeaderTimeout: `${toWaitMs(site)}ms` },
  }
}
