import type { Play, ScriptedAnswer, SentRequest } from './play.ts'

/** One row of the suite: what is sent through the point, what the service answers, and what must be seen of both. */
export interface Case {
  /** `<subject>/<name>`; it never changes. */
  readonly id: string
  /** `must`: without it sessions break or cookies leak. `should`: what an exact proxy keeps beyond that. */
  readonly level: 'must' | 'should'
  /** What is right, as a clause. */
  readonly title: string
  readonly send?: SentRequest
  readonly answer?: ScriptedAnswer
  readonly manner?: Manner
  readonly expect: readonly Expectation[]
}

/** How the two ends behave: as fast as they can, unless a case is about time or a broken connection. */
export type Manner =
  | 'at-once'
  /** The service sends the head, and the body only when the client has the head. */
  | 'head-first'
  /** The service sends half of the body, and the rest only when the client has that half. */
  | 'half-first'
  /** The client sends half of the body, and the rest only when the service has some of it. */
  | 'half-upload'
  /** The client leaves while the service keeps it waiting. */
  | 'client-leaves'
  /** The service closes the connection instead of answering. */
  | 'service-leaves'
  /** The service closes the connection half-way through the body that its head announced. */
  | 'service-cuts'
  /** The request goes out twice on one connection. */
  | 'twice'
  /** The request goes out six times on one connection, one after the other. */
  | 'often'
  /** The request goes out twice, each time on a connection of its own. */
  | 'again'
  /** The request goes out twice, the second time with the Via that the service saw, as if it had come back. */
  | 'looped'

/** One thing that must be seen. */
export interface Expectation {
  /** What is right, as a clause. */
  readonly expected: string
  /** @returns `undefined` when it was seen, else what was seen instead: no cookie, key, body or value of a stranger */
  judge(play: Play): string | undefined
}

/** Most that either end reads of a body: cases send 1 MiB, and what is more than that shows. */
export const BODY_LIMIT_BYTES = 2 * 1_048_576
