import type { FailureKind } from '../../forward/failure.ts'
import { mayBeginStatusLine, parseStatusLine } from '../../http/status-line.ts'
import { GrowingBuffer } from '../growing-buffer.ts'

/**
 * The octets of a response from its status line to the end of its head, for a parser that joins what it has of a name or
 * a value again with each piece: whole lines, without informational heads (RFC 9110 section 15.2).
 */
export class ResponseStart {
  /** Reason phrase of the final status line, one character for each octet. */
  reason = ''
  #position: 'status-line' | 'informational' | 'head' | 'beyond' = 'status-line'
  /** Informational heads, and the octets of their field lines. */
  #informational = 0
  #informationalOctets = 0
  /** The beginning of a line. */
  readonly #line = new GrowingBuffer()

  /** Whether the head is over, so that what follows needs no look at its lines. */
  get isOver(): boolean {
    return this.#position === 'beyond'
  }

  /** @returns what may be parsed of the final head and of what follows it */
  take(piece: Buffer): Buffer | ResponseFault {
    const isInLine = this.#line.length > 0
    if (isInLine) this.#line.append(piece)
    if (isInLine && !piece.includes(LINE_FEED)) return this.#judgeLine() ?? NOTHING
    const octets = isInLine ? this.#line.take() : piece
    const begin = this.#skipInformational(octets)
    if (begin instanceof ResponseFault) return begin
    const end = this.#findEnd(octets, begin)
    if (end < octets.length) this.#line.append(octets.subarray(end))
    return this.#judgeLine() ?? octets.subarray(begin, end)
  }

  /** @returns where the rest begins: a line of the final head, or the beginning of a line of which more is to come */
  #skipInformational(octets: Buffer): number | ResponseFault {
    let begin = 0
    while (this.#position === 'status-line' || this.#position === 'informational') {
      const end = octets.indexOf(LINE_FEED, begin)
      if (end === -1) break
      const fault =
        this.#position === 'status-line'
          ? this.#takeStatusLine(octets.toString('latin1', begin, end))
          : this.#takeInformational(octets.subarray(begin, end))
      if (fault !== undefined) return fault
      if (!this.#isFinal) begin = end + 1
    }
    return begin
  }

  get #isFinal(): boolean {
    return this.#position === 'head' || this.#position === 'beyond'
  }

  #takeStatusLine(text: string): ResponseFault | undefined {
    const line = parseStatusLine(text)
    if (line.kind === 'malformed') return new ResponseFault('upstream-malformed', 'BAD_STATUS_LINE')
    if (line.kind === 'final') {
      this.#position = 'head'
      this.reason = line.reason
      return undefined
    }
    if (line.status === 101) return new ResponseFault('upstream-upgrade', 'UNSOLICITED_101')
    this.#position = 'informational'
    this.#informational += 1
    return this.#informational > MAX_INFORMATIONAL
      ? new ResponseFault('upstream-malformed', 'TOO_MANY_1XX')
      : undefined
  }

  #takeInformational(line: Buffer): ResponseFault | undefined {
    this.#informationalOctets += line.length
    if (line.at(-1) !== CARRIAGE_RETURN) return new ResponseFault('upstream-malformed', 'BAD_1XX')
    if (line.length === 1) this.#position = 'status-line'
    return undefined
  }

  /** @returns the end of what may be parsed, at the end of a line unless the head is over */
  #findEnd(octets: Buffer, begin: number): number {
    if (!this.#isFinal) return begin
    const isEmptyLine = octets[begin] === CARRIAGE_RETURN && octets[begin + 1] === LINE_FEED
    if (!isEmptyLine && !octets.includes(HEAD_END, begin))
      return Math.max(begin, octets.lastIndexOf(LINE_FEED) + 1)
    this.#position = 'beyond'
    return octets.length
  }

  /** Judges the beginning of a line, and how much there was of informational heads. */
  #judgeLine(): ResponseFault | undefined {
    if (this.#line.length + this.#informationalOctets > RESPONSE_HEAD_LIMIT_BYTES)
      return new ResponseFault('upstream-head-too-large', 'HEAD_LIMIT')
    if (this.#position === 'status-line' && !mayBeginStatusLine(this.#line.peek()))
      return new ResponseFault('upstream-malformed', 'BAD_STATUS_LINE')
    return undefined
  }
}

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

export const RESPONSE_HEAD_LIMIT_BYTES = 65_536
const MAX_INFORMATIONAL = 10
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING: Buffer = Buffer.alloc(0)
