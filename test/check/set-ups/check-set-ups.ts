import { describe, expect, it } from 'vitest'
import { skips } from '../../front-ends/support/real-server.ts'
import { documents } from '../../project/documents.ts'
import { frontEnds } from './front-ends.ts'
import { healthy } from './healthy.ts'
import { otherServers, servers } from './other-servers.ts'
import { ownRefusals } from './own-refusals.ts'
import { pages } from './pages.ts'
import { patternOf } from './remedies.ts'
import { remedyTable } from './remedy-table.ts'
import { fixIt, runHealthy, runSetUp } from './run-set-up.ts'
import type { SetUp } from './set-up.ts'
import { siteRules } from './site-rules.ts'
import { varying } from './varying.ts'

export const setUps = [
  ...ownRefusals,
  ...frontEnds,
  ...pages,
  ...siteRules,
  ...varying,
  ...remedyTable,
  ...otherServers,
]

/** Reports that documents show, by set-up; their port is 40080, as long as a free one. */
export const documented = new Map(
  documents.flatMap(({ text }) =>
    [...text.matchAll(/<!-- set-up: (.+) -->\n\n```text\n([\s\S]*?)```/g)].map(
      ([, name = '', report = '']) => [name, report] as const,
    ),
  ),
)

/** `SET_UPS=print` shows every report. */
const isPrinting = process.env.SET_UPS === 'print'

/** Declares the tests of these servers' set-ups. */
export function checkSetUps(...names: readonly SetUp['server'][]) {
  for (const server of names.flatMap((name) => servers.find((each) => each.name === name) ?? []))
    describe.skipIf(skips(server))(`check behind a real ${server.name}`, () => {
      it.each(setUps.filter((each) => each.server === server.name))(
        'names the cause first, on one screen, and its fix is enough: $name',
        async (setUp) => {
          const { place, before, after } = await runSetUp(setUp)
          if (isPrinting) process.stdout.write(`\n── ${setUp.name}\n\n${before.pretty}`)
          const lines = before.pretty.trimEnd().split('\n')
          expect(lines[0]).toContain(setUp.rule)
          const ids = new Set(before.failures.map(({ id }) => id))
          expect(ids).toEqual(new Set([setUp.rule, ...(setUp.also ?? [])]))
          const failure = before.failures.find(({ id }) => id === setUp.rule)
          expect(failure?.message).toContain(setUp.cause)
          expect(failure?.fix).toContain(setUp.says)
          if (setUp.remedy !== undefined) expect(failure?.fix).toMatch(patternOf(setUp.server, setUp.remedy))
          const shown = before.pretty.replaceAll(`:${place.port}`, ':40080')
          expect(shown).toContain(documented.get(setUp.name) ?? '')
          for (const text of setUp.shows ?? []) expect(before.pretty).toContain(text)
          const added = Object.entries(fixIt(setUp, place).parts ?? {})
          if (setUp.says === '') expect(added.length).toBeGreaterThan(0)
          if (setUp.says === '') for (const [, line] of added) expect(failure?.fix).toContain(line)
          expect(lines.filter((line) => line.length > 80 && line.includes('  '))).toEqual([])
          // Without an advisor of its own the lines of each front end are listed.
          if (setUp.also === undefined && setUp.server !== 'varnish')
            expect(lines.length, before.pretty).toBeLessThanOrEqual(24)
          expect(after.failures).toEqual([])
          expect(after.code).toBe(0)
        },
        60_000,
      )

      it.each(healthy.filter((each) => each.server === server.name))(
        'finds nothing wrong with $name, within its budget',
        async (setUp) => {
          const { code, failures, pretty, asked } = await runHealthy(setUp)
          if (isPrinting) process.stdout.write(`\n── ${setUp.name}\n\n${pretty}`)
          expect(failures, pretty).toEqual([])
          expect(code).toBe(0)
          expect(pretty).not.toContain('Not judged')
          expect(asked).toBeLessThanOrEqual(70)
        },
        60_000,
      )
    })
}
