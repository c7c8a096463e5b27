import { expect, it } from 'vitest'
import { renderHtml } from '../../../src/check/report/html.ts'
import { renderPretty } from '../../../src/check/report/pretty.ts'
import { withoutColour } from '../../../src/text/paint.ts'
import { prefix } from '../a-config.ts'
import { accountReport } from './a-report.ts'

const point = `https://www.example.com${prefix}`

it('a terminal gets a line for each side', () => {
  const text = renderPretty(accountReport, withoutColour)
  expect(text).toContain(
    `  config    ${point}\n  account   https://www.example.com/<b>${prefix}\n  observed  the points do not show this\n`,
  )
})

it('a page gets a table, escaped', () => {
  const html = renderHtml(accountReport)
  expect(html).toContain(`<th scope="row">The config requires</th><td>${point}</td>`)
  expect(html).toContain('<th scope="row">The account has</th>')
  expect(html).not.toContain('<b>')
})
