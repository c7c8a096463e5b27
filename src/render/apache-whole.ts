import { tlsLines, toVirtualHost } from './apache-virtual-host.ts'
import { indent, separate } from './indent.ts'
import type { Site } from './site.ts'

/** A complete apache2.conf, for a machine where httpd has no other sites. */
export function renderApache(site: Site): string {
  const ports = [...new Set(site.origins.map(({ port }) => port))]
  const lines = separate([
    preface(site),
    modules,
    server(site),
    ...ports.map((port) => [
      `Listen ${port}`,
      '# Any other host.',
      `<VirtualHost *:${port}>`,
      ...indent([
        ...tlsLines(site.origins.find((origin) => origin.port === port)),
        'RewriteEngine On',
        'RewriteRule "^" "-" [R=421,L]',
      ]),
      '</VirtualHost>',
    ]),
    ...site.origins.map((origin) => toVirtualHost(site, origin)),
  ])
  return `${lines.join('\n')}\n`
}

function preface({ target }: Site): string[] {
  return [
    target.kind === 'route'
      ? '# Apache httpd in front of `continuation-point serve`: routes the continuation points to it.'
      : '# Apache httpd as continuation point: forwards the widget’s calls to the service.',
    '#',
    '# A complete apache2.conf. Check it with: apache2 -t -f FILE. If httpd already serves the site, omit --whole.',
    ...(target.kind === 'route'
      ? []
      : [
          '#',
          '# The widget keys are read from the environment (on Debian: export NAME=… in /etc/apache2/envvars).',
          '# Without its key a point answers 503.',
        ]),
  ]
}

const modules = [
  'mpm_event',
  'authz_core',
  'headers',
  'proxy',
  'proxy_http',
  'reqtimeout',
  'rewrite',
  'setenvif',
  'socache_shmcb',
  'ssl',
].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)

function server({ headerBytes, headersMs, idleMs, accessLog }: Site): string[] {
  const idleSeconds = Math.max(1, Math.ceil(idleMs / 1000))
  return [
    'ServerRoot /etc/apache2',
    'ServerName continuation-point.invalid',
    'User www-data',
    'Group www-data',
    'PidFile /run/apache2/apache2.pid',
    'ErrorLog /var/log/apache2/error.log',
    ...(accessLog === 'on'
      ? ['# Logs no query, no cookie, no address.', 'CustomLog /var/log/apache2/access.log "%t %>s %m %v %D"']
      : []),
    'ServerTokens Prod',
    '# TRACE would echo httpOnly cookies.',
    'TraceEnable Off',
    '# Every call has cookies, so a request head may be large.',
    `LimitRequestLine ${headerBytes}`,
    `LimitRequestFieldSize ${headerBytes}`,
    'LimitRequestFields 256',
    `Timeout ${idleSeconds}`,
    `RequestReadTimeout header=${idleSeconds}`,
    `ProxyTimeout ${Math.max(1, Math.ceil(headersMs / 1000))}`,
    'ProxyVia Off',
    'ProxyRequests Off',
  ]
}
