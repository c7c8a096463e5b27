import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from '../../config/secret.ts'
import { valuesOf } from '../../http/fields.ts'
import type { Point } from '../../points/point.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { type Back, PARTS, type Question, type Vouched } from '../read/live-fact.ts'
import { withoutCookieValue } from '../read/shown-text.ts'
import { isSubsequence } from '../read/stand-in-report.ts'

/** What each question to a point says of itself, for continuation-point to compare. Its key proves who has the config. */
export function openClaims({ url, path }: Point, widgetKey: Secret) {
  const info = `continuation-point check ${url}`
  const key = Buffer.from(hkdfSync('sha256', widgetKey.reveal(), '', info, 32))
  const sign = (text: string) => createHmac('sha256', key).update(text, 'latin1').digest('base64url')
  return (question: Question) => {
    const nonce = randomBytes(16).toString('base64url')
    const digests = listParts(question, path).map((part) =>
      createHash('sha256').update(part, 'latin1').digest('base64url'),
    )
    const signed = [nonce, ...digests].join('.')
    return {
      fields: [NAME, `${signed}.${sign(signed)}`],
      /** What continuation-point answers; `undefined` if nothing of it came back. */
      read: (reply: ProbeReply) => readAnswer(reply, nonce, sign),
    }
  }
}

/** The parts of a question in the order of `PARTS`. All its cookies are made up. */
function listParts({ method, rest, fields, body = '' }: Question, path: string): readonly string[] {
  const queryAt = rest.includes('?') ? rest.indexOf('?') : rest.length
  const cookies = valuesOf(fields, 'cookie').join('\n')
  const across = CROSS_ORIGIN.map((name) => valuesOf(fields, name).join()).join('\n')
  return [method, path + rest.slice(0, queryAt), rest.slice(queryAt), cookies, across, body]
}

function readAnswer(reply: ProbeReply, nonce: string, sign: (text: string) => string): Vouched | undefined {
  if (reply.kind === 'none') return undefined
  const [value = '', ...others] = valuesOf(reply.fields, NAME.toLowerCase())
  const signed = value.slice(0, value.lastIndexOf('.'))
  if (others.length > 0 || value !== `${signed}.${sign(signed)}`) return undefined
  const [own, words = '', status = '', setCookies = '', locations = ''] = signed.split('.')
  if (own !== nonce) return { kind: 'stored' }
  const toBack = (text: string, lines: readonly string[]): Back => {
    const passed = text === '' ? [] : text.split(',')
    const arrived = lines.map((line) => sign(`${nonce}\n${line}`).slice(0, 11))
    const unchanged = passed.filter((each) => arrived.includes(each)).length
    // Further lines, of a load balancer for instance, are no fault.
    return { passed: passed.length, unchanged, isWhole: isSubsequence(passed, arrived) }
  }
  // Of a cookie that the service sets, only the length of its value counts.
  const setCookieLines = valuesOf(reply.fields, 'set-cookie').map((line) =>
    withoutCookieValue(line, ({ length }) => String(length)),
  )
  return {
    kind: 'fresh',
    arrived: Object.fromEntries(PARTS.map((part, at) => [part, WORDS.get(words[at] ?? '')])),
    status: Number(status),
    setCookies: toBack(setCookies, setCookieLines),
    locations: toBack(locations, valuesOf(reply.fields, 'location')),
  }
}

const NAME = 'Continuation-Point-Check'
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['y', true],
  ['n', false],
])
const CROSS_ORIGIN = ['origin', 'access-control-request-method', 'access-control-request-headers'] as const
