import type { ProbeReply } from '../../probe/probe.ts'

/** The outcome of each box on a verification page, by its name. */
type VerificationMarks = ReadonlyMap<string, 'pass' | 'fail'>

/**
 * Reads the marks of a verification page: elements with `data-check` and `data-outcome`.
 *
 * @returns `undefined` unless the page has all four boxes; otherwise it is not the service's
 */
export function readMarks(reply: ProbeReply | undefined): VerificationMarks | undefined {
  if (reply?.kind !== 'response' || reply.status !== 200) return undefined
  const marks = new Map<string, 'pass' | 'fail'>()
  for (const [tag] of reply.body.matchAll(/<[a-z][a-z\d-]*\s[^<>]{0,1000}>/gi)) {
    const check = attributeOf(tag, 'data-check')
    const outcome = attributeOf(tag, 'data-outcome')
    if (check === undefined || !BOXES.includes(check) || marks.has(check)) continue
    if (outcome === 'pass' || outcome === 'fail') marks.set(check, outcome)
  }
  return marks.size === BOXES.length ? marks : undefined
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']?([a-z-]+)`, 'i').exec(tag)?.[1]
}

const BOXES: readonly string[] = ['forwarded', 'origin', 'widget-key', 'allowed']
