import type { Reply } from '../probe/probe.ts'
import type { Question } from './question.ts'

export type Asker = (question: Question) => Promise<Reply>

/**
 * Asks no more than the most that is polite, and stops asking where nobody answers: a point that lets several
 * questions run into their deadline would let all of them.
 */
export function patientAsker(send: Asker): Asker {
  let asked = 0
  let unanswered = 0
  return async (question) => {
    if (asked >= MOST_REQUESTS || unanswered >= MOST_UNANSWERED) {
      return { kind: 'none', cause: 'gave-up', code: 'gave-up' }
    }
    asked += 1
    let reply = await send(question)
    // RFC 9110 section 9.2.2: what is idempotent may be repeated where the connection was closed.
    if (reply.kind === 'none' && reply.cause === 'closed' && IDEMPOTENT.has(question.method)) {
      asked += 1
      reply = await send(question)
    }
    if (reply.kind === 'none' && reply.cause === 'timeout') unanswered += 1
    return reply
  }
}

/** Of 60 for a point; the first look at its addresses takes some. */
const MOST_REQUESTS = 50
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const MOST_UNANSWERED = 3
