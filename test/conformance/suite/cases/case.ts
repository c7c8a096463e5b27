import type { CaseRun, ScriptedResponse, SentRequest } from './run.ts'

/** One case: the request to send, the response of the service, and the expectations about both. */
export interface Case {
  /** `<subject>/<name>`, stable. */
  readonly id: string
  /** `must`: otherwise sessions break or cookies leak. `should`: what an exact proxy preserves beyond that. */
  readonly level: 'must' | 'should'
  /** The expectation, as a clause. */
  readonly title: string
  readonly send?: SentRequest
  readonly response?: ScriptedResponse
  readonly manner?: Manner
  readonly expect: readonly Expectation[]
}

/** Makes a case of a level: `must` or `should`. */
export type MakeCase = (id: string, title: string, script: Omit<Case, 'id' | 'level' | 'title'>) => Case

export const must: MakeCase = (id, title, script) => ({ id, level: 'must', title, ...script })

export const should: MakeCase = (id, title, script) => ({ id, level: 'should', title, ...script })

/**
 * How client and service behave: without delay, unless the case is about timing or a broken connection. `happened` of the
 * run tells whether one end did what the other waited for, or whether there was a last request and a response to it.
 */
export type Manner =
  | 'at-once'
  /** The service sends a 103 before its response. */
  | 'hints-first'
  /** The service sends the body only after the client has the head. */
  | 'head-first'
  /** The service sends the second half of the body only after the client has the first. */
  | 'half-first'
  /** The client sends the second half of the body only after the service has some of the first. */
  | 'half-upload'
  /** The client disconnects before the service responds; the service waits to notice it. */
  | 'client-leaves'
  /** The service closes the connection instead of responding. */
  | 'service-leaves'
  /** The service closes the connection once the client has the first half of the body that its head announced. */
  | 'service-cuts'
  /** The request is sent twice on one connection. */
  | 'twice'
  /** The request is sent six times on one connection, one after the other. */
  | 'often'
  /** The request is sent twice, on two connections. */
  | 'again'
  /** The request is sent twice, the second time with the Via that the service received, as in a loop. */
  | 'looped'

export interface Expectation {
  /** The expectation, as a clause. */
  readonly expected: string
  /** @returns `undefined` if it is met, else what was observed instead: never a cookie, a key, a body or a value of another client */
  judge(run: CaseRun): string | undefined
}
