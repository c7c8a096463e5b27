import { verificationReply } from '../../live/live-fact.ts'
import { onLivePoints, URL_RULES } from '../../live/on-live-points.ts'
import { toShownText } from '../../live/shown-text.ts'
import { readStandIn } from '../../live/stand-in-answer.ts'
import { readMarks } from '../../live/verification-marks.ts'
import { fail, pass, type Rule, skip } from '../../rule.ts'
import { SERVICE_STEPS } from './forwarded.ts'
import { originStep } from './origin.ts'
import { widgetKeyStep } from './widget-key.ts'

export const allowed: Rule = {
  id: 'live/allowed',
  severity: 'error',
  title: 'The account lists the URL of the point',
  why: 'The service takes cookies only at the continuation URLs that the account lists, with cookie transfer and proxying switched on.',
  wrong: 'a point on https, and its http URL in cookie_transfer_urls',
  right: 'cookie_transfer_urls holds the URL of the point, letter by letter',
  fix: 'Add the URL to cookie_transfer_urls in the account; "settings apply" writes it.',
  reference: undefined,
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints(
    (fact, facts) => {
      const isToldElsewhere = ACCOUNT_RULES.every((id) => facts.chosen.has(id))
      if (facts.account?.kind === 'options' && isToldElsewhere) {
        return skip('the account itself was read: see the account rules')
      }
      const { url, origin } = fact.point
      const reply = verificationReply(fact)
      const answer = readStandIn(reply)
      const isAllowed = answer?.allowed ?? (readMarks(reply)?.get('allowed') === 'pass' || undefined)
      if (isAllowed === undefined && readMarks(reply) === undefined) {
        const message =
          'The answer of the service does not tell what the account lists: name the widget key or the REST key in the config, or open the point in a browser'
        return { outcome: 'inconclusive', message }
      }
      const fix = `Add ${url} to cookie_transfer_urls of the account, and keep cookie_transfer_enabled and cookie_transfer_proxying true`
      const evidence = { listed: answer?.listedUrls.slice(0, 10).map(toShownText) }
      if (isAllowed !== true) return fail(`The account does not allow ${origin}`, fix, evidence)
      if (answer === undefined || answer.listedUrls.includes(url)) return pass
      return fail(`The account lists ${origin}, but not this URL`, fix, evidence)
    },
    [...SERVICE_STEPS, originStep, widgetKeyStep],
  ),
}

/** Together they tell all that this rule can, and which option it is. */
const ACCOUNT_RULES = [
  'account/transfer-disabled',
  'account/proxying-disabled',
  'account/url-not-registered',
] as const
