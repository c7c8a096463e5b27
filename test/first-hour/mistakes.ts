import { expect } from 'vitest'
import type { Machine } from './clone.ts'
import { expectGreen, keys, type Points, type Service } from './hour.ts'

/** One mistake that people make in a set-up that works. */
export interface Mistake {
  readonly name: string
  /** The rule that has to name it first. */
  readonly rule: string
  make(): Promise<void> | void
  /** Does what `check` printed. Where that is something to paste or to run, it is taken from the text. */
  follow(printed: string): Promise<void> | void
}

/** Mistakes of the config and the account; those of web servers are in test/check/set-ups. */
export function toMistakes(scene: {
  readonly machine: () => Machine
  readonly service: () => Service
  readonly points: () => Points
}): readonly Mistake[] {
  const { machine, service, points } = scene
  return [
    {
      name: 'a wrong widget key',
      rule: 'live/widget-key',
      make: () => restart(points(), { ...keys, WIDGET_KEY: keys.API_KEY }),
      follow: (printed) => {
        expect(printed).toContain('set "widgetKey" to the key in the widget code and restart serve')
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

/** Makes the mistake, reads what `check` prints, does that, and checks again. */
export async function play({ rule, make, follow }: Mistake, points: Points): Promise<void> {
  await make()
  const { stdout } = await points.check()
  expect(stdout.split('\n')[0], stdout).toContain(rule)
  await follow(stdout)
  expectGreen(await points.check())
}

async function restart(points: Points, env: Readonly<Record<string, string>>): Promise<void> {
  await points.stop()
  await points.start(env)
}

const LIST = /"points": \[[^\]]*\]/
