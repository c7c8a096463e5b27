import { shorten } from '../../../text/prose.ts'
import type { Facts } from '../../facts.ts'
import type { Located } from '../../finding.ts'
import type { Fix } from '../../fix.ts'
import { FORGED, type LiveFact, type Reply } from '../../read/live-fact.ts'
import {
  isKeyVouched,
  isVouched,
  observationsFor,
  standInOf,
  verificationReply,
} from '../../read/observations.ts'
import { escapeAndCut, isAlike } from '../../read/reply.ts'
import type { StandInReport } from '../../read/stand-in.ts'
import { isAllowed, readMarks } from '../../read/stand-in-report.ts'
import { cite, fail, inconclusive, pass, passAs, type RulesById, type Ruling, skip } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

/** The rules of these two fields. If one of them fails, a service may answer differently from its direct answers. */
export const FIELD_RULES = ['live/origin', 'live/widget-key'] as const

/** Rules on the two fields that the front end sets, and on the account that they lead to. */
export const ownFieldRules: RulesById = {
  'live/origin': {
    title: "X-Continuation-Origin arrives once, with the point's origin",
    why: 'This header tells the service which site the cookies belong to. A different scheme, host or port is a different origin, and a value taken from the visitor can be forged by anyone.',
    wrong: 'X-Continuation-Origin: http://www.example.com behind a TLS terminator, for a point on https',
    right: 'X-Continuation-Origin: https://www.example.com',
    fix: 'Set the header to the scheme, host and non-standard port that the browser shows, and replace whatever the client sent.',
    remedy: (advice) => advice.setField('X-Continuation-Origin', 'https://www.example.com'),
    reference: cite('HTML Standard', 'ascii-serialisation-of-an-origin', 'serialization of an origin'),
    needs: { rules: ['live/forwarded'] },
    evaluate: eachLivePoint((fact) => judgeField(ORIGIN, fact)),
  },
  'live/widget-key': {
    title: 'X-Widget-Key arrives once, with the key of the config, and the service knows it',
    why: 'The service finds the account by this key, so with another key the cookies go to another account, and without one to none. Your web server or proxy has to set it: a key that a visitor sends must not get through.',
    wrong: 'the REST key in place of the widget key, or the header added to one that the client sent',
    right: 'X-Widget-Key with the key from the widget code',
    fix: 'Set the header to the widget key from the integration panel, and replace whatever the client sent.',
    remedy: (advice) => advice.setField('X-Widget-Key', '<WIDGET_KEY>'),
    needs: { rules: ['live/forwarded'] },
    evaluate: eachLivePoint((fact, facts) => nameSwapped(judgeField(WIDGET_KEY, fact), fact, facts)),
  },
  'live/allowed': {
    title: 'The account lists the URL of the point',
    why: 'The service accepts cookies only at continuation URLs that the account lists, and only with cookie transfer and proxying switched on.',
    wrong: 'a point on https, and its http URL in cookie_transfer_urls',
    right: 'cookie_transfer_urls has the URL of the point, exactly as in the config',
    fix: 'Add the URL to cookie_transfer_urls in the account; "settings apply" writes it.',
    needs: { rules: ['live/forwarded', ...FIELD_RULES] },
    saidBy: ['account/transfer-disabled', 'account/proxying-disabled', 'account/url-not-registered'],
    evaluate: eachLivePoint(judgeAllowed, findSettings),
  },
}

/** One of the two fields that the front end sets. */
interface OwnField {
  /** Its box on the verification page. */
  readonly box: 'origin' | 'widget-key'
  /** Which direct replies had this field wrong, or missing. */
  readonly wrong: 'wrongOrigin' | 'wrongKey'
  readonly missing: 'noOrigin' | 'noKey'
  /** For messages. */
  readonly name: string
  /** What is true if continuation-point vouches, and the service's answer doesn't show the rest. */
  readonly vouched: string
  readonly toFix: (fact: LiveFact) => Fix
  /** What is wrong with what arrived at the stand-in. `isForged`: the client sent such fields of its own. */
  readonly describe: (received: Received, isForged: boolean, fact: LiveFact) => string | undefined
  readonly toEvidence: (...given: Parameters<OwnField['describe']>) => Readonly<Record<string, unknown>>
}

type Received = StandInReport['received']

const ORIGIN: OwnField = {
  box: 'origin',
  wrong: 'wrongOrigin',
  missing: 'noOrigin',
  name: 'origin',
  vouched: "continuation-point sends X-Continuation-Origin once, with the point's origin",
  toFix: ({ point: { origin } }) => ({
    what: `Set X-Continuation-Origin: ${origin} at your web server or proxy, replacing whatever the client sent`,
    remedy: (advice) => advice.setField('X-Continuation-Origin', origin),
  }),
  describe: ({ continuationOrigins: lines }, _isForged, { point: { origin } }) => {
    const [line] = lines
    if (line === undefined) return 'X-Continuation-Origin does not arrive at the service'
    if (lines.some((each) => each.includes(FORGED.origin)))
      return 'X-Continuation-Origin is passed on as the client sends it: anyone can claim to be your site'
    if (lines.length > 1) return `X-Continuation-Origin arrives ${lines.length} times`
    if (line === '') return 'X-Continuation-Origin arrives empty'
    return line === origin ? undefined : `X-Continuation-Origin is ${escapeAndCut(line)}, not ${origin}`
  },
  toEvidence: ({ continuationOrigins }, isForged, { point }) => ({
    expected: point.origin,
    arrived: continuationOrigins.slice(0, 5).map(escapeAndCut),
    asked: isForged ? 'with forged headers' : 'plainly',
  }),
}

const WIDGET_KEY: OwnField = {
  box: 'widget-key',
  wrong: 'wrongKey',
  missing: 'noKey',
  name: 'widget key',
  vouched:
    "continuation-point sends X-Widget-Key once, with the key of its config; the service's answer doesn't show whether it knows the key",
  toFix: (fact) =>
    isVouched(fact)
      ? {
          what: 'Set "widgetKey" to the key in the widget code, and restart serve, or the app that has the point',
        }
      : {
          what: 'Set X-Widget-Key to the key in the widget code at your web server or proxy, replacing whatever the client sent; if that is continuation-point serve, set "widgetKey" and restart it',
          remedy: (advice) => advice.setField('X-Widget-Key', '<WIDGET_KEY>'),
        },
  describe: (
    { widgetKey, widgetKeySha256: arrived, fields = [] },
    isForged,
    { widgetKeySha256, restKeySha256 },
  ) => {
    const { lines, known } = widgetKey
    if (lines === 0) return 'X-Widget-Key does not arrive at the service'
    if (lines > 1) {
      return isForged
        ? "The client's X-Widget-Key is passed on in addition to the one that your web server or proxy sets"
        : `X-Widget-Key arrives ${lines} times`
    }
    if (fields.some(({ name, octets }) => octets === 0 && name.toLowerCase() === 'x-widget-key'))
      return 'X-Widget-Key arrives empty'
    if (!known && arrived !== undefined && arrived === restKeySha256)
      return "X-Widget-Key is the config's REST key, not its widget key"
    if (!known) {
      return isForged
        ? 'X-Widget-Key is passed on as the client sends it: anyone can send the cookies to another account'
        : 'The service does not know the widget key that arrives'
    }
    if (isForged || arrived === undefined || widgetKeySha256 === undefined) return undefined
    return arrived === widgetKeySha256 ? undefined : OTHER_KEY
  },
  toEvidence: ({ widgetKey: { lines } }) => ({ lines }),
}

/** Judges a field by what the stand-in reports, else by the answer of the service. */
function judgeField(field: OwnField, fact: LiveFact): Ruling {
  for (const { question, reply } of observationsFor(fact, 'verification', 'forged')) {
    const received = reply.standIn?.received
    if (received === undefined) continue
    const isForged = question.purpose === 'forged'
    const fault = field.describe(received, isForged, fact)
    if (fault !== undefined) return fail(fault, field.toFix(fact), field.toEvidence(received, isForged, fact))
  }
  return standInOf(fact) === undefined ? judgeByAnswer(fact, field) : pass
}

/** A key of the config that the service doesn't know at the point, but takes for the account, is the REST key. */
function nameSwapped(ruling: Ruling, fact: LiveFact, { account }: Facts): Ruling {
  if (ruling.outcome !== 'fail' || account?.said.kind !== 'options') return ruling
  const received = standInOf(fact)?.received
  const isConfigs =
    received === undefined ? isKeyVouched(fact) : received.widgetKeySha256 === fact.widgetKeySha256
  if (received?.widgetKey.known || !isConfigs || fact.widgetKeySha256 === fact.restKeySha256) return ruling
  return fail(
    `"widgetKey" of the config is the REST key of the account${account.said.withBothKeys ? ': the two keys are swapped' : ''}`,
    'Set "apiKey" to the REST key and "widgetKey" to the key in the widget code, and reload serve',
  )
}

/** Judges by the marks of the service's verification page, else by its direct answers to a right and a wrong field. */
function judgeByAnswer(fact: LiveFact, field: OwnField): Ruling {
  if (field === WIDGET_KEY && isKeyVouched(fact) === false) return fail(OTHER_KEY, field.toFix(fact))
  const plain = judgeReply(fact, field, verificationReply(fact))
  const [forged] = observationsFor(fact, 'forged')
  // continuation-point sets both fields by the config that it has proven to have, whatever the client sends.
  if (plain.outcome !== 'fail' && isVouched(fact)) {
    const isKeyMissing = field === WIDGET_KEY && fact.serviceAuthority && !fact.widgetKeySha256
    if (isKeyMissing) return { outcome: 'inconclusive', message: NO_KEY, holds: true }
    return plain.outcome === 'pass' ? plain : passAs(field.vouched)
  }
  if (plain.outcome !== 'pass' || forged === undefined) return plain
  const ruling = judgeReply(fact, field, forged.reply)
  if (ruling.outcome !== 'fail') return ruling
  return fail(
    `The client's ${field.name} is passed on, alone or beside the one that your web server or proxy sets`,
    field.toFix(fact),
  )
}

function judgeReply(fact: LiveFact, field: OwnField, reply: Reply | undefined): Ruling {
  const { box, wrong, missing, name, toFix } = field
  const { direct, bare } = fact
  const fix = toFix(fact)
  const mark = readMarks(reply)?.get(box)
  if (mark === 'pass') return PASS_BY_SERVICE
  if (mark === 'fail') return fail(`The verification page says that the ${name} is wrong`, fix)
  if (direct !== undefined) {
    if (isAlike(direct.right, reply) && !isAlike(direct.right, direct[wrong]))
      return field === ORIGIN || isKeyVouched(fact) ? pass : passAs(KNOWN)
    // Without both fields the answer may be another one than without either.
    const isOther = Object.values(direct).every((each) => !isAlike(each, reply))
    const isTold = (...told: readonly (Reply | undefined)[]) =>
      told.some((each) => isAlike(each, reply) && !isAlike(direct.right, each))
    const isBoth = isTold(direct.wrongOrigin, direct.noOrigin) && isTold(direct.wrongKey, direct.noKey)
    // continuation-point sends the right origin.
    if (isBoth && field === ORIGIN)
      return inconclusive(
        'The service answers a wrong origin as it does a wrong widget key: see live/widget-key',
      )
    if (isBoth && !isVouched(fact)) {
      const { origin } = fact.point
      return fail('The service refuses the widget key or the origin, and answers both alike', {
        what: `Set X-Widget-Key to the key in the widget code, and X-Continuation-Origin to ${origin}, at your web server or proxy, replacing whatever the client sent`,
        remedy: ({ setField }) => [
          setField('X-Widget-Key', '<WIDGET_KEY>'),
          setField('X-Continuation-Origin', origin),
        ],
      })
    }
    if (isTold(direct[wrong], direct[missing], isOther ? bare : undefined))
      return fail(`The service answers as it would to a wrong or missing ${name}`, fix)
  }
  return inconclusive(
    `The service's answer doesn't show which ${name} arrives; its verification page would, if it has one`,
  )
}

const OTHER_KEY = "The widget key that arrives is not the config's, so the cookies go to another account"
const NO_KEY =
  'Whether continuation-point sends the right widget key shows only with "widgetKey" in the config (for env:NAME also the variable NAME)'
const KNOWN = "X-Widget-Key arrives, and the service knows it; whether it is the config's doesn't show"
const PASS_BY_SERVICE: Ruling = { outcome: 'pass', proof: 'service' }

/** The switches of the account, if the point with this index is one of its points. */
function findSettings({ account }: Facts, point: number): readonly Located[] {
  if (!account?.points.includes(point)) return []
  const settings = ['cookie_transfer_enabled', 'cookie_transfer_proxying']
  return settings.map((setting) => ({ subject: { setting }, location: undefined }))
}

function judgeAllowed(fact: LiveFact, { account, points }: Facts): Ruling {
  const { url, origin } = fact.point
  const reply = verificationReply(fact)
  const answer = reply?.standIn
  const marks = readMarks(reply)
  if (answer === undefined && marks === undefined) {
    if (account?.said.kind === 'options' && account.points.some((at) => points[at]?.point?.url === url))
      return skip('only the account lists it, which the account rules judge')
    const start =
      account?.said.kind === 'unread'
        ? 'and the account could not be read. If'
        : 'nor was the account asked. Set "apiKey" in the config, or if'
    return inconclusive(
      `The service's answer doesn't show whether the account lists this point, ${start} the service has a verification page, open the point in a browser`,
    )
  }
  const what = `Add ${url} to cookie_transfer_urls of the account, and keep cookie_transfer_enabled and cookie_transfer_proxying true`
  const fix = { what, otherwise: answer && 'if the stand-in answers, to "points" of its config' }
  const evidence = { listed: answer && shorten(answer.listedUrls.map(escapeAndCut)) }
  const isListed = answer === undefined ? marks?.get('allowed') === 'pass' : isAllowed(answer)
  if (!isListed) return fail(`The account does not allow ${origin}`, fix, evidence)
  if (answer === undefined || answer.listedUrls.includes(url)) return PASS_BY_SERVICE
  return fail(`The account lists ${origin}, but not this URL`, fix, evidence)
}
