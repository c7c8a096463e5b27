import type { DownstreamRequest } from '../forward/downstream.ts'
import type { DownstreamHead } from '../forward/response.ts'
import { type Claim, type Digest, parseClaim, Voucher } from '../forward/vouching.ts'
import { BodyCopy } from './body-copy.ts'

/** Vouches for one question of `check`. WebCrypto has no digest of a stream, so a copy of the body is kept. */
export class EdgeVoucher extends Voucher<Promise<Digest>> {
  readonly #copy: BodyCopy
  #isBodyWhole = true

  constructor(claim: Claim, request: DownstreamRequest) {
    const copy = new BodyCopy()
    copy.append(toOctets(`${claim.nonce}\n`))
    super(claim, request, {
      ofText: (text) => digest(toOctets(text)),
      ofBody: () => (copy.isWhole ? digest(copy.octets) : undefined),
    })
    this.#copy = copy
  }

  /** The body to be sent in place of this one. */
  watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    this.#isBodyWhole = false
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        this.#copy.append(piece)
        controller.enqueue(piece)
      },
      flush: () => {
        this.#isBodyWhole = true
      },
    })
    return body.pipeThrough(watched)
  }

  /** The field line that vouches for the request, and for the response that it is a part of. To be called once. */
  async toField(head: DownstreamHead): Promise<readonly [name: string, value: string]> {
    const fields = 'WebSocketPair' in globalThis ? head.fields.map(encode) : head.fields
    const { digests, toField } = this.answer({ ...head, fields }, this.#isBodyWhole ? 'whole' : 'partial')
    return toField(await Promise.all(digests))
  }

  /** Ends the comparison. */
  forget(): void {
    this.#copy.drop()
  }
}

/** @returns `undefined` if the field is not a claim of `check` */
export function openVoucher(value: string | undefined, request: DownstreamRequest): EdgeVoucher | undefined {
  const claim = value === undefined ? undefined : parseClaim(value)
  return claim && new EdgeVoucher(claim, request)
}

/** The octets, one in each character, of a text that Workers have decoded as UTF-8. */
function encode(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

async function digest(octets: Uint8Array<ArrayBuffer>): Promise<Digest> {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', octets))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

function toOctets(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
