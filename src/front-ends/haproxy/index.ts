import type { FrontEnd } from '../front-end.ts'
import { groupByHost, type SiteHost } from '../origins.ts'
import { keyStep, type Part, type Step } from '../part.ts'
import { quoteRegex } from '../quote.ts'
import type { Site } from '../site.ts'
import { backendName, renderSections } from './backend.ts'

const FILE = 'continuation-point.cfg'
const HOME = { folder: '/etc/haproxy', file: 'haproxy.cfg' }

export const haproxy: FrontEnd = {
  name: 'haproxy',
  title: 'HAProxy',
  parts: renderParts,
  home: HOME,
  lastStep: (folder) => ({
    what: 'Then test the config and restart HAProxy',
    lines: [`haproxy -c -f ${folder}/${HOME.file} -f ${folder}/${FILE} && systemctl restart haproxy`],
  }),
}

/** HAProxy has no include: backends in a file that it reads in addition to its own, and a line for each frontend. */
function renderParts(site: Site, folder = HOME.folder): readonly Part[] {
  const { target, origins } = site
  const keys = keyStep(
    'HAProxy reads the widget keys from its environment, on Debian from /etc/default/haproxy',
    site,
    (keyName) => `${keyName}=…`,
  )
  const uses =
    target.kind === 'route'
      ? groupByHost(origins).map((host) => use('continuation_point', host.host, host))
      : origins.flatMap((origin) =>
          groupByHost([origin]).map((host) => use(backendName(origin), origin.url, host)),
        )
  return [
    {
      file: FILE,
      about: 'The backends of the points',
      steps: [
        ...uses,
        ...(target.kind === 'route' ? [] : [keys]),
        {
          what: 'Make HAProxy read this file as well as haproxy.cfg, on Debian in /etc/default/haproxy',
          lines: [`EXTRAOPTS="-S /run/haproxy-master.sock -f ${folder}/${FILE}"`],
        },
      ],
      lines: renderSections(site),
    },
  ]
}

function use(backend: string, name: string, { authorities, paths }: SiteHost): Step {
  const where = paths.every((path) => /^[A-Za-z0-9/_.~-]+$/.test(path))
    ? `path_beg ${paths.join(' ')}`
    : `path -m reg '^(?:${paths.map(quoteRegex).join('|')})'`
  return {
    what: `In the frontend of ${name}, before its other use_backend lines`,
    lines: [`use_backend ${backend} if { ${where} } { req.hdr(host) -m str -i ${authorities.join(' ')} }`],
  }
}
