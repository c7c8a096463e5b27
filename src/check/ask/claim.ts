import { createHash, randomBytes } from 'node:crypto'
import type { Secret } from '../../config/secret.ts'
import { valuesOf } from '../../http/fields.ts'
import type { Point } from '../../points/point.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { type Back, PARTS, type Question, type Vouched } from '../read/live-fact.ts'
import { withoutCookieValue } from '../read/reply.ts'
import { isSubsequence } from '../read/stand-in-report.ts'

/** What each question to a point says of itself, for continuation-point to compare. */
export function openClaim(question: Question, { path }: Point, widgetKey: Secret | undefined) {
  const nonce = randomBytes(16).toString('base64url')
  // A nonce of its own for each question: an answer that is about another one was stored.
  const digest = (text: string) =>
    createHash('sha256').update(`${nonce}\n${text}`, 'latin1').digest('base64url')
  return {
    fields: [NAME, [nonce, ...listParts(question, path, widgetKey).map(digest)].join('.')],
    /** What continuation-point answers; `undefined` if nothing of it came back. */
    read: (reply: ProbeReply) => readAnswer(reply, nonce, digest),
  }
}

/** The parts of a question in the order of `PARTS`. All its cookies are made up. */
function listParts({ method, rest, fields, body = '' }: Question, path: string, widgetKey?: Secret) {
  const queryAt = rest.includes('?') ? rest.indexOf('?') : rest.length
  const cookies = valuesOf(fields, 'cookie').join('\n')
  const across = CROSS_ORIGIN.map((name) => valuesOf(fields, name).join()).join('\n')
  const key = widgetKey?.reveal() ?? ''
  return [method, path + rest.slice(0, queryAt), rest.slice(queryAt), cookies, across, key, body]
}

function readAnswer(reply: ProbeReply, nonce: string, digest: (text: string) => string): Vouched | undefined {
  if (reply.kind === 'none') return undefined
  const [value = '', ...others] = valuesOf(reply.fields, NAME.toLowerCase())
  const [, own, words = '', status = '', setCookies = '', locations = ''] = ANSWER.exec(value) ?? []
  if (others.length > 0 || own === undefined) return undefined
  if (own !== nonce) return { kind: 'stored' }
  const toBack = (text: string, lines: readonly string[]): Back => {
    const passed = text === '' ? [] : text.split(',')
    const arrived = lines.map((line) => digest(line).slice(0, 11))
    const unchanged = passed.filter((each) => arrived.includes(each)).length
    // Further lines, of a load balancer for instance, are no fault.
    return { passed: passed.length, unchanged, isWhole: isSubsequence(passed, arrived) }
  }
  // Of a cookie that the service sets, only the length of its value counts.
  const setCookieLines = valuesOf(reply.fields, 'set-cookie').map((line) =>
    withoutCookieValue(line, ({ length }) => String(length)),
  )
  const { key, ...arrived } = Object.fromEntries(PARTS.map((part, at) => [part, WORDS.get(words[at] ?? '')]))
  return {
    kind: 'fresh',
    arrived,
    isConfigsKey: key,
    status: Number(status),
    setCookies: toBack(setCookies, setCookieLines),
    locations: toBack(locations, valuesOf(reply.fields, 'location')),
  }
}

const NAME = 'Continuation-Point-Check'
/** Nonce, words, status, Set-Cookie lines, Location lines. */
const ANSWER = /^([\w-]{22})\.([yn-]{7})\.(\d{3})\.([\w,-]*)\.([\w,-]*)$/
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['y', true],
  ['n', false],
])
const CROSS_ORIGIN = ['origin', 'access-control-request-method', 'access-control-request-headers'] as const
