import type { Facts } from '../../facts.ts'
import { type LiveFact, verificationReply } from '../../read/live-fact.ts'
import { toShownText } from '../../read/shown-text.ts'
import { isAllowed, readStandIn } from '../../read/stand-in-report.ts'
import { readMarks } from '../../read/verification-marks.ts'
import { type Case, fail, inconclusive, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints, toSetting } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'

export const allowed: Rule = {
  id: 'live/allowed',
  severity: 'error',
  title: 'The account lists the URL of the point',
  why: 'The service accepts cookies only at continuation URLs that the account lists, and only with cookie transfer and proxying switched on.',
  wrong: 'a point on https, and its http URL in cookie_transfer_urls',
  right: 'cookie_transfer_urls has the URL of the point, exactly as in the config',
  fix: 'Add the URL to cookie_transfer_urls in the account; "settings apply" writes it.',
  needs: { rules: ['live/forwarded', ...FIELD_RULES] },
  saidBy: ['account/transfer-disabled', 'account/proxying-disabled', 'account/url-not-registered'],
  evaluate: (facts) =>
    onLivePoints(judge)(facts).map((each, index) => ({ ...each, settings: toSettings(index, facts) })),
}

/** The switches of the account of the point with this index. */
function toSettings(point: number, { accounts = [] }: Facts): NonNullable<Case['settings']> {
  return accounts
    .filter(({ points }) => points.includes(point))
    .flatMap((account) =>
      ['cookie_transfer_enabled', 'cookie_transfer_proxying'].map((setting) => ({
        subject: { setting: toSetting(setting, account) },
        location: undefined,
      })),
    )
}

function judge(fact: LiveFact): Ruling {
  const { url, origin } = fact.point
  const reply = verificationReply(fact)
  const answer = readStandIn(reply)
  const marks = readMarks(reply)
  if (answer === undefined && marks === undefined) {
    return inconclusive(
      "The service's answer doesn't show what the account lists: put the widget key or the REST key into the config, or open the point in a browser",
    )
  }
  const fix = `Add ${url} to cookie_transfer_urls of the account, and keep cookie_transfer_enabled and cookie_transfer_proxying true`
  const evidence = { listed: answer?.listedUrls.slice(0, 10).map(toShownText) }
  const isListed = answer === undefined ? marks?.get('allowed') === 'pass' : isAllowed(answer)
  if (!isListed) return fail(`The account does not allow ${origin}`, fix, evidence)
  if (answer === undefined || answer.listedUrls.includes(url)) return pass
  return fail(`The account lists ${origin}, but not this URL`, fix, evidence)
}
