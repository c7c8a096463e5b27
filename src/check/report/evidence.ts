import { cutText } from '../../text/escape.ts'
import { countAll, shorten } from '../../text/prose.ts'
import type { Finding } from '../finding.ts'

type EvidenceLine = Record<'label' | 'text', string>

/** The evidence, short enough to read: what to change, or what was sent and arrived, then the rest by name. */
export function describeEvidence(findings: readonly [Finding, ...Finding[]]): readonly EvidenceLine[] {
  const [{ evidence }] = findings
  const hasAll = (names: readonly string[]) => names.every((name) => Object.hasOwn(evidence, name))
  const changes = findings.flatMap((each) => splitValue(each.evidence.changes))
  if (changes.length > 0) {
    return shorten(changes).map((change) => {
      const [, mark = '', text = change] = /^([+−]) (.*)$/s.exec(change) ?? []
      return { label: mark, text }
    })
  }
  const pair = PAIRS.find(hasAll)
  const rest = Object.entries(evidence).filter(([name]) => !pair?.some((each) => each === name))
  const lines = [...(pair === undefined ? [] : describePair(pair, evidence)), ...rest.flatMap(describeValue)]
  return lines.slice(0, MOST_LINES)
}

/** Both sides, from where they start to differ; of two lists only the members that the other one lacks. */
function describePair(
  [left, right]: (typeof PAIRS)[number],
  evidence: Finding['evidence'],
): readonly EvidenceLine[] {
  const [a, b] = [splitValue(evidence[left]), splitValue(evidence[right])]
  const isList = a.length !== 1 || b.length !== 1
  const ownA = isList ? a.filter((each) => !b.includes(each)) : a
  // If members were only added, both lists are shown whole.
  const [shownA, shownB] =
    !isList || ownA.length === 0 ? [a, b] : [ownA, b.filter((each) => !a.includes(each))]
  const [onlyA, onlyB] = shownA.length === 1 && shownB.length === 1 ? [shownA[0], shownB[0]] : []
  const from = measureCommonStart(onlyA, onlyB)
  const toText = (texts: readonly string[]) => (texts.length === 0 ? 'nothing' : joinFrom(texts, from))
  return [
    { label: left, text: toText(shownA) },
    { label: /^[1-5]\d\d(?:,|$)/.test(b[0] ?? '') ? 'answer' : right, text: toText(shownB) },
  ]
}

function describeValue([name, value]: [string, unknown]): readonly EvidenceLine[] {
  const texts = splitValue(value)
  const label = LABELS.get(name)
  return label === undefined || texts.length === 0 ? [] : [{ label, text: joinFrom(texts, 0) }]
}

function splitValue(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(splitValue)
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return Object.entries(value ?? {}).map(([name, each]) => `${name} ${String(each)}`)
}

function joinFrom(texts: readonly string[], from: number): string {
  const shown = texts.slice(0, MOST_MEMBERS).map((text) => {
    return cutText(from > 0 ? `…${text.slice(from)}` : text, MOST_CHARACTERS)
  })
  const more = countAll(texts) - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** A little before the first difference between two long texts; 0 if that is near the beginning. */
function measureCommonStart(a = '', b = ''): number {
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  const start = same - KEPT_BEFORE
  return Math.max(a.length, b.length) > MOST_CHARACTERS && start > 0 && same < a.length ? start : 0
}

const PAIRS = [
  ['sent', 'arrived'],
  ['expected', 'arrived'],
] as const

/** Evidence that the message and the config don't show already. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ...['address', 'code', 'issuer', 'listed', 'server', 'title'].map((name) => [name, name] as const),
  ['codes', 'code'],
  ['names', 'is for'],
  ['validFrom', 'begins'],
  ['validTo', 'ends'],
  ['fields', 'headers'],
  ['field', 'header'],
  ['largestArrived', 'largest'],
])

const MOST_LINES = 4
const MOST_MEMBERS = 3
const MOST_CHARACTERS = 64
const KEPT_BEFORE = 24
