import { createHash } from 'node:crypto'
import type { DownstreamRequest } from '../forward/downstream.ts'
import type { DownstreamHead } from '../forward/response.ts'
import { type Claim, type Digest, parseClaim, Voucher } from '../forward/vouching.ts'

/** Vouches for one question of `check`, whose body is digested as it arrives. */
export class NodeVoucher extends Voucher<Digest> {
  readonly #body

  constructor(claim: Claim, request: DownstreamRequest) {
    const body = createHash('sha256').update(`${claim.nonce}\n`)
    super(claim, request, {
      ofText: (text) => createHash('sha256').update(text, 'latin1').digest('base64url'),
      ofBody: () => body.digest('base64url'),
    })
    this.#body = body
  }

  addBody(octets: Buffer): void {
    this.#body.update(octets)
  }

  /** The field line that vouches for the request, and for the response that it is a part of. To be called once. */
  toField(head: DownstreamHead, body: 'whole' | 'partial'): readonly [name: string, value: string] {
    const { digests, toField } = this.answer(head, body)
    return toField(digests)
  }
}

/** @returns `undefined` if the field is not a claim of `check` */
export function openVoucher(value: string, request: DownstreamRequest): NodeVoucher | undefined {
  const claim = parseClaim(value)
  return claim && new NodeVoucher(claim, request)
}
