import type { Probe, Reply } from '../../probe/probe.ts'
import type { Question } from '../read/question.ts'
import { waitOutLimit } from './wait-out-limit.ts'

export type Asker = (question: Question) => Promise<Reply>

/**
 * Asks no more than the most that is polite, and stops asking where nobody answers: a point that lets several
 * questions run into their deadline would let all of them. Where a rate limit turns a question away, it waits.
 */
export function patientAsker(send: Asker, pause: Probe['pause']): Asker {
  let asked = 0
  let unanswered = 0
  const count: Asker = (question) => {
    asked += 1
    return send(question)
  }
  const ask = waitOutLimit(repeatClosed(count), pause)
  return async (question) => {
    if (asked >= MOST_REQUESTS || unanswered >= MOST_UNANSWERED) {
      return { kind: 'none', cause: 'gave-up', code: 'gave-up' }
    }
    const reply = await ask(question)
    if (reply.kind === 'none' && reply.cause === 'timeout') unanswered += 1
    return reply
  }
}

/** RFC 9110 section 9.2.2: what is idempotent may be repeated where the connection was closed. */
function repeatClosed(send: Asker): Asker {
  return async (question) => {
    const reply = await send(question)
    const isClosed = reply.kind === 'none' && reply.cause === 'closed'
    return isClosed && IDEMPOTENT.has(question.method) ? send(question) : reply
  }
}

/** Of 60 for a point; the first look at its addresses takes some. */
const MOST_REQUESTS = 50
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const MOST_UNANSWERED = 3
