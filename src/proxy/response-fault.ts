import type { FailureKind } from '../forward/failure.ts'

/** What is wrong with a response in a way that undici would not notice, or would report as something else. */
export class ResponseFault extends Error {
  readonly kind: FailureKind
  readonly code: string

  constructor(kind: FailureKind, code: string) {
    super('The response can’t be passed on')
    this.name = 'ResponseFault'
    this.kind = kind
    this.code = code
  }
}
