import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RealServer, type RunningServer, type SiteFiles, skips } from './real-server.ts'
import type { RoutingServer } from './routed-front-end.ts'
import { certificateFile, SHOP } from './typical-site.ts'

/** Everything that it reads and writes is below the folder, by its runroot.yaml. */
export const trafficServer: RealServer = {
  name: 'trafficserver',
  binary: '/usr/bin/traffic_server',
  check: () => ['-C', 'verify_config'],
  run: () => [],
  env: (folder) => ({ TS_RUNROOT: folder }),
}

/** A site with a redirect of its own, which has the lines of remap.config as the script says them. */
export const trafficServerSite: RoutingServer = {
  name: 'trafficserver',
  isMissing: skips(trafficServer),
  toServer: () => trafficServer,
  toFiles: (text, port) => toTrafficServerFiles(text, port),
}

/** With TLS if the points are on https. */
export function toTrafficServerFiles(
  script: string,
  port: number,
  { ipAllow = 'everything', records = [] }: Partial<TrafficServerChanges> = {},
): SiteFiles {
  const lines = [...script.matchAll(/^-- {3}(.*)$/gm)].map(([, line = '']) => line)
  const maps = lines.filter((line) => line.startsWith('map '))
  const isSecure = maps.some((line) => line.startsWith('map https:'))
  return (folder) => ({
    'runroot.yaml': Object.entries(places)
      .map(([name, place]) => `${name}: ${place.startsWith('/') ? place : `${folder}/${place}`}\n`)
      .join(''),
    'log/.keep': '',
    'run/.keep': '',
    'etc/records.config': [
      `proxy.config.http.server_ports STRING ${port}${isSecure ? ':ssl' : ''}:ip-in=127.0.0.1`,
      // It keeps its user.
      'proxy.config.admin.user_id STRING #-1',
      'proxy.config.crash_log_helper STRING NULL',
      // It loads a script once for each of these.
      'proxy.config.plugin.lua.max_states INT 4',
      ...HABITS,
      ...records,
    ]
      .map((line) => `CONFIG ${line}`)
      .concat(lines.filter((line) => line.startsWith('CONFIG ')))
      .map((line) => `${line}\n`)
      .join(''),
    'etc/remap.config': [...maps, `redirect http://${SHOP}:${port}/old http://${SHOP}:${port}/new`]
      .map((line) => `${line}\n`)
      .join(''),
    'etc/ssl_multicert.config': `dest_ip=* ssl_cert_name=${certificateFile('service', 'cert')} ssl_key_name=${certificateFile('service', 'key')}\n`,
    'etc/ip_allow.yaml':
      ipAllow === 'everything' ? ALLOW_ALL : readFileSync(join(DEBIAN, 'ip_allow.yaml'), 'utf8'),
    'etc/plugin.config': '',
    'etc/logging.yaml': readFileSync(join(DEBIAN, 'logging.yaml'), 'utf8'),
    'etc/storage.config': `${folder}/run 16M\n`,
    'etc/continuation-point.lua': script,
  })
}

/** All that it has logged so far. */
export function trafficServerLogs({ folder }: RunningServer): string {
  const logs = join(folder, 'log')
  return readdirSync(logs)
    .map((file) => readFileSync(join(logs, file), 'latin1'))
    .join('')
}

interface TrafficServerChanges {
  readonly ipAllow: 'everything' | 'as Debian has it'
  readonly records: readonly string[]
}

const places = {
  prefix: '',
  exec_prefix: '',
  bindir: '/usr/bin',
  sbindir: '/usr/sbin',
  sysconfdir: 'etc',
  datadir: 'run',
  includedir: '/usr/include',
  libdir: '/usr/lib/trafficserver',
  libexecdir: '/usr/lib/trafficserver/modules',
  localstatedir: 'run',
  runtimedir: 'run',
  logdir: 'log',
  cachedir: 'run',
}

const ALLOW_ALL = `ip_allow:
  - apply: in
    ip_addrs: 127.0.0.0/8
    action: allow
    methods: ALL
`
/** What a site may have set for itself, and is not to reach the points. */
const HABITS = [
  'proxy.config.http.cache.required_headers INT 0',
  'proxy.config.http.insert_request_via_str INT 2',
  'proxy.config.http.insert_response_via_str INT 2',
  'proxy.config.http.normalize_ae INT 2',
  'proxy.config.http.number_of_redirections INT 3',
  'proxy.config.http.redirect.actions STRING loopback:follow,routable:follow,self:follow',
]
/** The config that the package brings. */
const DEBIAN = '/etc/trafficserver'
