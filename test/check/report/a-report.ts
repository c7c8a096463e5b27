import { toWanted } from '../../../src/account/wanted.ts'
import type { CheckResult } from '../../../src/check/check.ts'
import type { Report } from '../../../src/check/report/report.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { chooseExitCode } from '../../../src/check/summary.ts'
import { aConfig, type Given, prefix } from '../a-config.ts'
import { anAccount, saidOptions } from '../an-account.ts'
import { checkGiven } from '../check-given.ts'

export function aReport(given: Given): Report {
  return toReport(checkGiven(given))
}

export function toReport(result: CheckResult): Report {
  const exitCode = chooseExitCode(result.findings, 'error')
  return {
    tool: { name: 'continuation-point', version: '1.2.3', suffixList: 'tldts 4.5.6' },
    mode: 'offline',
    exitCode,
    program: 'continuation-point',
    atMs: Date.UTC(2026, 10, 22, 8, 30),
    result,
    rules,
  }
}

/** What an attacker would put into a URL, a name or a reason. */
export const hostileText = `</style><script>alert(1)</script>"'&]]><img src=x onerror=alert(2)>\u001b[31m\u009b31m\r\n::error::x%0A\u202e|\`_*[a](javascript:b)\ud800\uffff\u{e0001}`

/** Hostile text wherever a config can contain some. */
export const hostileConfig: Given = {
  points: [`https://${hostileText}/`, `https://user:hunter2@www.example.com/?api_key=hunter2&${hostileText}`],
  pages: [`https://www.example.com/${hostileText}`, 'https://www.example.com/'],
  cookies: [{ name: hostileText, domain: hostileText, path: hostileText }, { path: `/${'a'.repeat(900)}` }],
  suppress: [
    { rule: hostileText, match: hostileText, reason: hostileText },
    { rule: 'cookie/bad-name', reason: hostileText },
  ],
}

/** Of a large site: 26 cookies, of which two are lost, and six points, one of them broken. */
export const manyReport = aReport({
  points: ['www', 'shop', 'pay', 'my', 'help', 'a-rather-long-name.of-a-market'].map(
    (name) => `https://${name}.example.com${prefix.slice(0, name === 'pay' ? -1 : undefined)}`,
  ),
  pages: ['https://www.example.com/', 'https://shop.example.com/'],
  cookies: Array.from({ length: 26 }, (_, at) => ({
    name: at === 3 ? `OptanonAlertBoxClosed_${'long_'.repeat(8)}` : `cookie_${at}`,
    domain: at % 3 === 0 ? '.example.com' : `${['www', 'shop', 'pay', 'old'][at % 4]}.example.com`,
    path: at === 5 ? '/account' : '/',
  })),
})

/** Of an account that has another URL than the config, with markup in it. */
export const accountReport = reportAccount([`https://www.example.com/<b>${prefix}`])

/** Of an account that lists these URLs and no cookies, by the rules that are named. */
export function reportAccount(
  stale: readonly string[],
  cookies: Given['cookies'] = [{}],
  only = ['account/url-stale', 'account/url-not-registered'],
): Report {
  const given = { points: [`https://www.example.com${prefix}`], pages: ['https://www.example.com/'], cookies }
  const config = aConfig(given)
  const listed = { ...toWanted(config).wanted, cookie_transfer_urls: stale, cookie_transfer_scopes: [] }
  return toReport(checkGiven(given, { only }, { account: anAccount(config, saidOptions(listed)) }))
}
