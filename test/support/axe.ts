import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** What axe finds wrong with a page as it is shown now, in light and in dark: the rule, and the first element. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(AXE)
    const violations = await page.evaluate<readonly Violation[]>(
      "axe.run({ resultTypes: ['violations'] }).then((run) => run.violations)",
    )
    found.push(...violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`))
  }
  return found
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
