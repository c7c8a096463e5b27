import type { Machine } from './clone.ts'
import { keys, type Points, type Service } from './hour.ts'
import { expectWords, lineFor, type Mistake } from './mistake.ts'
import type { NginxSite } from './nginx-site.ts'

export interface Scene {
  readonly machine: () => Machine
  readonly service: () => Service
  readonly site: () => NginxSite
  readonly points: () => Points
}

/** The ten commonest; the short form of the test plays the last three, and other tests hold the rest in set-ups of their own. */
export function toNginxMistakes(scene: Scene): readonly Mistake[] {
  const { machine, service, site, points } = scene
  const inPoint = (change: (text: string) => string) => edit(site(), POINT, change)
  const paste = (printed: string) => inPoint((text) => withDirective(text, lineFor('nginx', printed)))
  return [
    {
      name: 'Host dropped',
      rule: 'live/forwarded',
      make: () => inPoint((text) => text.replace(/proxy_set_header Host .*\n/, '')),
      follow: paste,
    },
    {
      name: 'the port of Host dropped',
      rule: 'live/forwarded',
      make: () => inPoint((text) => withDirective(text, 'proxy_set_header Host $host;')),
      follow: paste,
    },
    {
      name: 'the scheme dropped where TLS ends',
      rule: 'live/forwarded',
      make: () => inPoint((text) => withDirective(text, 'proxy_set_header X-Forwarded-Proto http;')),
      follow: paste,
    },
    {
      name: 'a slash after proxy_pass',
      rule: 'live/forwarded',
      make: () => inPoint((text) => text.replace(/(proxy_pass [^;]+);/, '$1/;')),
      follow: (printed) => {
        expectWords(lineFor('nginx', printed), 'proxy_pass with no path behind host and port')
        return inPoint((text) => text.replace(/(proxy_pass [^;]+)\/;/, '$1;'))
      },
    },
    {
      name: 'redirects that are rewritten',
      rule: 'live/redirect',
      make: () => inPoint((text) => withDirective(text, 'proxy_redirect http:// https://;')),
      follow: paste,
    },
    {
      name: 'small buffers for heads',
      rule: 'live/header-size',
      make: () => edit(site(), LIMITS, (text) => text.replace(/^large_client_header_buffers .*\n/m, '')),
      follow: (printed) => edit(site(), LIMITS, (text) => withDirective(text, lineFor('nginx', printed))),
    },
    {
      name: 'serve that is down',
      rule: 'live/forwarded',
      make: () => points().stop(),
      follow: (printed) => {
        expectWords(printed, 'Start what it forwards to (continuation-point serve')
        return points().start()
      },
    },
    {
      name: 'a wrong widget key',
      rule: 'live/widget-key',
      make: () => restart(points(), { ...keys, WIDGET_KEY: keys.API_KEY }),
      follow: (printed) => {
        expectWords(printed, 'set "widgetKey" to the key in the widget code and restart serve')
        return restart(points(), keys)
      },
    },
    {
      name: 'points that the account does not list',
      rule: 'account/url-not-registered',
      make: () => service().forgetPoints(),
      follow: async (printed) => {
        const [, words = ''] = /continuation-point (settings apply)/.exec(printed) ?? []
        await machine().run(`npx continuation-point ${words} --config ${points().config}`, keys)
      },
    },
    {
      name: 'a cookie path without a point',
      rule: 'cookie/path-not-covered',
      make: () => points().editConfig((text) => text.replace(/^.*\/checkout\/service.*\n/m, '')),
      follow: (printed) => {
        const [suggested] = LIST.exec(printed) ?? []
        points().editConfig((text) => text.replace(LIST, () => suggested ?? ''))
      },
    },
  ]
}

export const SHORT = 3

async function edit(site: NginxSite, file: string, change: (text: string) => string): Promise<void> {
  site.edit(file, change)
  await site.reload()
}

async function restart(points: Points, env: Readonly<Record<string, string>>): Promise<void> {
  await points.stop()
  await points.start(env)
}

/** The text with this directive in the place of the one that sets the same. */
function withDirective(text: string, line: string): string {
  const [name = '', first = ''] = line.split(/\s+/)
  const same = name === 'proxy_set_header' ? `${name} ${first} ` : `${name} `
  const rest = text.split('\n').filter((each) => !each.startsWith(same))
  return [...rest, line, ''].join('\n')
}

const POINT = 'snippets/continuation-point.conf'
const LIMITS = 'conf.d/continuation-point.conf'
const LIST = /"points": \[[^\]]*\]/
