import type { CaddySite } from './caddy-site.ts'
import { expectWords, lineFor, type Mistake } from './mistake.ts'

export function toCaddyMistakes(site: () => CaddySite): readonly Mistake[] {
  const change = async (file: string, edit: (text: string) => string) => {
    site().edit(file, edit)
    await site().reload()
  }
  return [
    {
      name: 'Set-Cookie removed',
      rule: 'live/set-cookie',
      make: () =>
        change(POINT, (text) => text.replace(PROXY, (start) => `${start}\n\theader_down -Set-Cookie`)),
      follow: (printed) => {
        expectWords(lineFor('Caddy', printed), 'no header_down on Set-Cookie')
        return change(POINT, (text) => text.replace(/\n\theader_down .*/, ''))
      },
    },
    {
      name: 'the scheme dropped',
      rule: 'live/forwarded',
      make: () =>
        change(POINT, (text) =>
          text.replace(PROXY, (start) => `${start}\n\t${'header_up X-Forwarded-Proto http'}`),
        ),
      follow: (printed) =>
        change(POINT, (text) =>
          text.replace('header_up X-Forwarded-Proto http', () => lineFor('Caddy', printed)),
        ),
    },
    {
      name: 'handle_path, which cuts the path',
      rule: 'live/forwarded',
      make: () => change(HOST, (text) => text.replaceAll('handle /', 'handle_path /')),
      follow: (printed) => {
        const [, right = '', wrong = ''] = /(\w+) in place of (\w+)/.exec(lineFor('Caddy', printed)) ?? []
        return change(HOST, (text) => text.replaceAll(`${wrong} /`, () => `${right} /`))
      },
    },
  ]
}

const POINT = 'continuation-point/point.caddy'
const HOST = 'continuation-point/www.shop.localhost.caddy'
const PROXY = /reverse_proxy .*\{/
