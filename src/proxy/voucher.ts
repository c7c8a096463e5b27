import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
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
  readonly #key: Buffer
  readonly #request: DownstreamRequest
  readonly #body = createHash('sha256')
  #digests: readonly string[] = []

  constructor(claim: Claim, key: Buffer, request: DownstreamRequest) {
    this.#claim = claim
    this.#key = key
    this.#request = request
  }

  addBody(octets: Buffer): void {
    this.#body.update(octets)
  }

  compare(forwarded: Fields): void {
    this.#digests = toTexts(this.#request, forwarded).map((text) =>
      createHash('sha256').update(text, 'latin1').digest('base64url'),
    )
  }

  /** The field line that vouches for the request, and for the response that it is a part of. To be called once. */
  toField(
    { status, fields }: DownstreamHead,
    isBodyComplete: boolean,
  ): readonly [name: string, value: string] {
    const body = isBodyComplete ? this.#body.digest('base64url') : undefined
    const back = toBackTexts(fields).map((texts) =>
      texts.map((text) => hmac(this.#key, `${this.#claim.nonce}\n${text}`).toString('base64url')),
    )
    const answer = formatVouching(this.#claim, [...this.#digests, body], status, back)
    return [VOUCHING, `${answer}.${hmac(this.#key, answer).toString('base64url')}`]
  }
}

/** @returns `undefined` unless the claim proves that its sender has the config of this point */
export function openVoucher(
  value: string,
  request: DownstreamRequest,
  point: ServedPoint,
): Voucher | undefined {
  const claim = parseClaim(value)
  if (claim === undefined) return undefined
  const key = keyOf(point)
  const isRight = timingSafeEqual(hmac(key, claim.signed), Buffer.from(claim.mac, 'base64url'))
  return isRight ? new Voucher(claim, key, request) : undefined
}

function keyOf(point: ServedPoint): Buffer {
  const known = keys.get(point)
  if (known !== undefined) return known
  const key = Buffer.from(hkdfSync('sha256', point.widgetKey.reveal(), '', toKeyInfo(point.url), 32))
  keys.set(point, key)
  return key
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'latin1').digest()
}

const keys = new WeakMap<ServedPoint, Buffer>()
