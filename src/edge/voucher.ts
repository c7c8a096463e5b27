import type { DownstreamRequest } from '../forward/downstream.ts'
import { VOUCHING } from '../forward/field-rules.ts'
import type { DownstreamHead } from '../forward/response.ts'
import {
  type Claim,
  formatVouching,
  parseClaim,
  toBackTexts,
  toKeyInfo,
  toTexts,
} from '../forward/vouching.ts'
import type { Fields } from '../http/fields.ts'
import type { ServedPoint } from '../points/compile.ts'

/** Compares one question of `check` with what goes on, and vouches for it in the response. */
export class Voucher {
  readonly #claim: Claim
  readonly #key: Key
  readonly #request: DownstreamRequest
  #texts: readonly string[] = []
  /** WebCrypto has no digest of a stream, so a copy is kept. */
  #pieces: Uint8Array<ArrayBuffer>[] = []
  #octets = 0
  #isBodyComplete = true

  constructor(claim: Claim, key: Key, request: DownstreamRequest) {
    this.#claim = claim
    this.#key = key
    this.#request = request
  }

  /** The body to be sent in place of this one. */
  watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    this.#isBodyComplete = false
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        this.#octets += piece.length
        if (this.#octets <= MOST_OCTETS) this.#pieces.push(piece.slice())
        else this.#pieces = []
        controller.enqueue(piece)
      },
      flush: () => {
        this.#isBodyComplete = this.#octets <= MOST_OCTETS
      },
    })
    return body.pipeThrough(watched)
  }

  compare(forwarded: Fields): void {
    this.#texts = toTexts(this.#request, forwarded)
  }

  /** The field line that vouches for the request, and for the response that it is a part of. */
  async toField({ status, fields }: DownstreamHead): Promise<readonly [name: string, value: string]> {
    const body = this.#isBodyComplete ? await new Blob(this.#pieces).arrayBuffer() : undefined
    const sha256 = async (octets: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
      toBase64Url(await crypto.subtle.digest('SHA-256', octets))
    const digests = await Promise.all(
      [...this.#texts.map(toOctets), body].map((octets) => octets && sha256(octets)),
    )
    const back = await Promise.all(
      toBackTexts(fields).map((texts) =>
        Promise.all(texts.map((text) => this.#sign(`${this.#claim.nonce}\n${text}`))),
      ),
    )
    const answer = formatVouching(this.#claim, digests, status, back)
    return [VOUCHING, `${answer}.${await this.#sign(answer)}`]
  }

  async #sign(text: string): Promise<string> {
    return toBase64Url(await crypto.subtle.sign('HMAC', this.#key, toOctets(text)))
  }
}

/** @returns `undefined` unless the claim proves that its sender has the config of this point */
export async function openVoucher(
  value: string | undefined,
  request: DownstreamRequest,
  point: ServedPoint,
): Promise<Voucher | undefined> {
  const claim = value === undefined ? undefined : parseClaim(value)
  if (claim === undefined) return undefined
  const { subtle } = crypto
  const [widgetKey, info] = [point.widgetKey.reveal(), toKeyInfo(point.url)].map((text) =>
    new TextEncoder().encode(text),
  ) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]
  const secret = await subtle.importKey('raw', widgetKey, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  const key = await subtle.deriveKey(derivation, secret, hmac, false, ['sign', 'verify'])
  const mac = toOctets(atob(claim.mac.replaceAll('-', '+').replaceAll('_', '/')))
  const isRight = await subtle.verify('HMAC', key, mac, toOctets(claim.signed))
  return isRight ? new Voucher(claim, key, request) : undefined
}

function toOctets(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function toBase64Url(octets: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(octets)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

// Not every runtime's types have a name for it.
type Key = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>

/** A longer body is not judged. */
const MOST_OCTETS = 2 ** 21
