import { type Fields, trimWhiteSpace, valuesOf } from '../http/fields.ts'
import type { DownstreamRequest } from './downstream.ts'
import { VOUCHING } from './field-rules.ts'
import type { DownstreamHead } from './response.ts'

/*
 * How the proxy vouches for what it forwards. `check` sends, with each question, a claim: a nonce, and digests of what it
 * sent. The proxy answers, in a field of the same name, which parts arrived and go on as claimed, and digests of what it
 * passes back. Both values are members joined by dots; each digest is salted with the nonce.
 *
 * Every visitor may ask, so the answer must tell nobody anything: it never concerns a visitor's own cookie,
 * nor the value of one that the service sets. The widget key is in every page.
 */

/** SHA-256 in base64url. */
export type Digest = string

/** How a runtime digests: at once in Node, later at the edge. */
export interface Digester<D extends Digest | Promise<Digest>> {
  /** The digest of a text with a character for each octet. */
  ofText(text: string): D
  /** The digest of the nonce, a line break and the body so far; `undefined` if it was too large. */
  ofBody(): D | undefined
}

/** What `check` claims to have sent. */
export interface Claim {
  readonly nonce: string
  /** The digests of the texts of `toTexts`, then of the body. */
  readonly digests: readonly Digest[]
}

/** Parses the field; `undefined` if it is not a claim. */
export function parseClaim(value: string): Claim | undefined {
  const [, nonce, digests] = CLAIM.exec(value) ?? []
  return nonce === undefined || digests === undefined
    ? undefined
    : { nonce, digests: digests.slice(1).split('.') }
}

/** Compares one question of `check` with what goes on, and vouches for it in the response. */
export class Voucher<D extends Digest | Promise<Digest>> {
  readonly #claim: Claim
  readonly #request: DownstreamRequest
  readonly #digester: Digester<D>
  #texts: readonly string[] = []

  constructor(claim: Claim, request: DownstreamRequest, digester: Digester<D>) {
    this.#claim = claim
    this.#request = request
    this.#digester = digester
  }

  compare(forwarded: Fields): void {
    this.#texts = toTexts(this.#request, forwarded)
  }

  /**
   * The digests that the answer is made of, and how it is made once they are there. To be called once for each response.
   */
  answer({ status, fields }: DownstreamHead, body: 'whole' | 'partial') {
    const { nonce, digests: claimed } = this.#claim
    const setCookies = valuesOf(fields, 'set-cookie').slice(0, MOST_LINES).map(withoutValue)
    const locations = valuesOf(fields, 'location').slice(0, MOST_LINES)
    const digests: readonly (D | undefined)[] = [
      ...[...this.#texts, ...setCookies, ...locations].map((text) =>
        this.#digester.ofText(`${nonce}\n${text}`),
      ),
      body === 'whole' ? this.#digester.ofBody() : undefined,
    ]
    const toField = (made: readonly (Digest | undefined)[]): readonly [name: string, value: string] => {
      const parts = [...made.slice(0, this.#texts.length), made.at(-1)]
      const words = claimed.map((digest, at) =>
        parts[at] === undefined ? '-' : parts[at] === digest ? 'y' : 'n',
      )
      // A few characters of those suffice.
      const back = made.slice(this.#texts.length, -1).map((digest) => digest?.slice(0, 11))
      const lines = [back.slice(0, setCookies.length), back.slice(setCookies.length)]
      return [VOUCHING, [nonce, words.join(''), status, ...lines.map((each) => each.join())].join('.')]
    }
    return { digests, toField }
  }
}

/**
 * What arrived and goes on, part by part, without the body: method, path, query, the made-up cookies, the fields by which a
 * browser asks across origins, and the widget key.
 */
export function toTexts({ method, target }: DownstreamRequest, forwarded: Fields): readonly string[] {
  const { path, pathAndQuery } = target
  return [
    method,
    path,
    pathAndQuery.slice(path.length),
    valuesOf(forwarded, 'cookie').map(toMadeUp).filter(Boolean).join('\n'),
    CROSS_ORIGIN.map((name) => valuesOf(forwarded, name).join()).join('\n'),
    valuesOf(forwarded, 'x-widget-key').join('\n'),
  ]
}

/** The cookies of a line that begin, or whose value begins, with the mark; with the white space between them. */
function toMadeUp(line: string): string {
  return trimWhiteSpace(line.split(';').filter(isMadeUp).join(';'))
}

/** A pattern for both would go through white space once for each octet of it. */
function isMadeUp(pair: string): boolean {
  const valueAt = pair.indexOf('=') + 1
  return trimWhiteSpace(pair).startsWith(MADE_UP) || (valueAt > 0 && pair.startsWith(MADE_UP, valueAt))
}

/** A Set-Cookie line, with the length of its value in place of the value. */
function withoutValue(line: string): string {
  return line.replace(/^([^;=]*=)?([^;]*)/, (_pair, name = '', value = '') => `${name}${value.length}`)
}

const CLAIM = /^([\w-]{22})((?:\.[\w-]{43}){7})$/
const MADE_UP = 'continuation_point_check'
const CROSS_ORIGIN = ['origin', 'access-control-request-method', 'access-control-request-headers'] as const
const MOST_LINES = 64
