import type { ExpressSite } from './express-site.ts'
import { keys } from './hour.ts'
import { expectWords, lineFor, type Mistake } from './mistake.ts'

export function toExpressMistakes(site: () => ExpressSite): readonly Mistake[] {
  const change = async (edit: (text: string) => string) => {
    site().edit(edit)
    await site().restart(keys)
  }
  return [
    {
      name: 'a body parser before the points',
      rule: 'live/methods',
      make: () => change((text) => swap(text, MOUNT, PARSER)),
      follow: (printed) => {
        expectWords(lineFor('mounted in an app', printed), 'before body parsers')
        return change((text) => swap(text, PARSER, MOUNT))
      },
    },
    {
      name: 'Node’s own limit of heads',
      rule: 'live/header-size',
      make: () => change((text) => text.replace('{ maxHeaderSize: 65_536 }', '{}')),
      follow: (printed) => {
        const [, flag = ''] = /node (--\S+?);/.exec(lineFor('mounted in an app', printed)) ?? []
        return site().restart(keys, [flag])
      },
    },
    {
      name: 'a wrong widget key',
      rule: 'live/widget-key',
      make: () => site().restart({ ...keys, WIDGET_KEY: 'another-key' }, LARGE),
      follow: (printed) => {
        expectWords(printed, '"widgetKey"')
        return site().restart(keys, LARGE)
      },
    },
  ]
}

function swap(text: string, first: string, second: string): string {
  const [one = '', two = ''] = [first, second].map((start) =>
    text.split('\n').find((line) => line.startsWith(start)),
  )
  return text
    .replace(one, () => '\u0000')
    .replace(two, () => one)
    .replace('\u0000', () => two)
}

const MOUNT = 'site.use(points.listener)'
const PARSER = 'site.use(express.json())'
const LARGE = ['--max-http-header-size=65536']
