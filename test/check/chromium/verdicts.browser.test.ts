import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../../src/check/check.ts'
import { gatherOfflineFacts } from '../../../src/check/offline-facts.ts'
import { skipsBrowser } from '../../sandbox/support/chromium.ts'
import { aConfig } from '../a-config.ts'
import { type Mode, modes, type OpenBrowser, openBrowser } from './browser-mode.ts'
import { type Observed, observeWorld } from './observe-world.ts'
import { type RecordingSite, startRecordingSite } from './recording-site.ts'
import { isOfOneSite, keptWorlds, type World, worlds } from './world.ts'

const seed = Number(process.env.CHROMIUM_SEED ?? 20_261_122)
const rounds = Number(process.env.CHROMIUM_ROUNDS ?? 4)
const TIMEOUT_MS = 60_000 + rounds * 10_000

describe.skipIf(skipsBrowser)(`cookie verdicts are what Chromium does, seed ${seed}`, () => {
  let site: RecordingSite
  let browsers: Readonly<Record<Mode, OpenBrowser>>

  beforeAll(async () => {
    site = await startRecordingSite()
    const [allowed, blocked, legacy] = await Promise.all([
      openBrowser('allowed', site),
      openBrowser('blocked', site),
      openBrowser('legacy', site),
    ])
    browsers = { allowed, blocked, legacy }
  }, TIMEOUT_MS)
  afterAll(async () => {
    await Promise.all(Object.values(browsers ?? {}).map((browser) => browser.close()))
    await site?.close()
  }, TIMEOUT_MS)

  it('each mode is what its name says', { timeout: TIMEOUT_MS }, async () => {
    const sid = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true, secure: true } as const
    const point = 'https://www.example.com/'
    const page = 'http://www.example.com'
    const cookies = [
      { ...sid, sameSite: 'None' },
      { ...sid, sameSite: 'Strict' },
    ] as const
    const { variants, wasSent } = await observeWorld(
      { pages: [page], points: [point], cookies },
      browsers,
      site,
    )
    const row = (mode: Mode) => variants.map((variant) => wasSent(mode, variant, page, point))
    expect(modes.map(row)).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ])
  })

  const compareAll = async (world: World) => {
    const observed = await observeWorld(world, browsers, site)
    for (const pages of toSubsets(world.pages)) {
      for (const points of toSubsets(world.points)) compare({ ...world, pages, points }, observed)
    }
  }

  it.each(keptWorlds)('%j', { timeout: TIMEOUT_MS }, compareAll)

  const random = fc.sample(worlds, { seed, numRuns: rounds })
  it.each(random.map((world, index) => ({ round: index + 1, world })))(
    `round $round of ${rounds}`,
    { timeout: TIMEOUT_MS },
    ({ world }) => compareAll(world),
  )
})

/** One set-up: what `check` says about every cookie is what the browsers did. */
function compare(setUp: World, observed: Observed): void {
  const { pages, points, cookies } = setUp
  const facts = gatherOfflineFacts(aConfig({ pages, points, cookies }))
  const said = check(facts, [], { only: [], skip: [], suppress: [] }).cookies
  expect({ seed, setUp, verdicts: said.map(({ verdict, sentTo }) => ({ verdict, sentTo })) }).toEqual({
    seed,
    setUp,
    verdicts: cookies.map((_, index) => toVerdict(index, setUp, observed)),
  })
}

/** `sent`: to one point always, whatever is not known. `not-sent`: to none, ever. */
function toVerdict(cookie: number, { pages, points }: World, { variants, wasSent }: Observed) {
  const cases = variants
    .filter((variant) => variant.of === cookie)
    .flatMap((variant) => modes.map((mode) => ({ variant, mode })))
  const isSent = (point: string, { variant, mode }: (typeof cases)[number]) =>
    pages.some((page) => isOfOneSite(page, point) && wasSent(mode, variant, page, point))
  const sentTo = points.filter((point) => cases.length > 0 && cases.every((each) => isSent(point, each)))
  if (sentTo.length > 0) return { verdict: 'sent', sentTo }
  const isEver = points.some((point) => cases.some((each) => isSent(point, each)))
  return { verdict: isEver ? 'depends' : 'not-sent', sentTo }
}

/** Every choice but the empty one. */
function toSubsets<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** all.length - 1 }, (_, index) =>
    all.filter((_each, at) => ((index + 1) & (2 ** at)) !== 0),
  )
}
