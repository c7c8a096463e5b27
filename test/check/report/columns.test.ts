import { expect, it } from 'vitest'
import { toDerivedSettings } from '../../../src/account/settings.ts'
import { check } from '../../../src/check/check.ts'
import { toOfflineFacts } from '../../../src/check/offline-facts.ts'
import { renderHtml } from '../../../src/check/report/html.ts'
import { renderPretty } from '../../../src/check/report/pretty.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { withoutColour } from '../../../src/text/paint.ts'
import { aConfig, prefix } from '../a-config.ts'
import { anAccount, saidOptions } from '../an-account.ts'

const point = `https://www.example.com${prefix}`
const report = toReport([`https://www.example.com/<b>${prefix}`])

it('a terminal gets a line for each side', () => {
  const text = renderPretty(report, withoutColour)
  expect(text).toContain(
    `  config    ${point}\n  account   https://www.example.com/<b>${prefix}\n  observed  the points do not show this\n`,
  )
})

it('a page gets a table, escaped', () => {
  const html = renderHtml(report)
  expect(html).toContain('<th scope="col">The config requires</th><th scope="col">The account has</th>')
  expect(html).not.toContain('<b>')
})

/** @param stale a URL of the account that is not a point */
function toReport(stale: readonly string[]) {
  const config = aConfig({ points: [point], cookies: [{}] })
  const wanted = toDerivedSettings(config)
  const facts = {
    ...toOfflineFacts(config),
    accounts: [
      anAccount(
        config,
        saidOptions(config, { ...wanted, cookie_transfer_urls: stale, cookie_transfer_scopes: [] }),
      ),
    ],
  }
  const result = check(facts, rules, {
    only: ['account/url-stale', 'account/url-not-registered'],
    skip: [],
    suppress: [],
  })
  return {
    tool: { name: 'continuation-point', version: '0' },
    mode: 'live',
    exitCode: 1,
    program: 'continuation-point',
    run: { command: 'continuation-point check', atMs: 0 },
    result,
    rules,
  } as const
}
