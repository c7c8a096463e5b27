import type { DownstreamRequest } from '../forward/downstream.ts'
import { VOUCHING } from '../forward/field-rules.ts'
import type { DownstreamHead } from '../forward/response.ts'
import { formatVouching, parseClaim, toBackTexts, toKeyInfo, toTexts } from '../forward/vouching.ts'
import type { Fields } from '../http/fields.ts'
import type { ServedPoint } from '../points/compile.ts'
import { BodyCopy } from './body-copy.ts'

export type Voucher = NonNullable<Awaited<ReturnType<typeof openVoucher>>>

/**
 * Compares one question of `check` with what goes on, and vouches for it in the response.
 *
 * @returns `undefined` unless the claim proves that its sender has the config of this point
 */
export async function openVoucher(value: string | undefined, request: DownstreamRequest, point: ServedPoint) {
  const claim = value === undefined ? undefined : parseClaim(value)
  if (claim === undefined) return undefined
  const key = await deriveKey(point)
  const mac = toOctets(atob(claim.mac.replaceAll('-', '+').replaceAll('_', '/')))
  if (!(await crypto.subtle.verify('HMAC', key, mac, toOctets(claim.signed)))) return undefined
  const sign = async (text: string) => toBase64Url(await crypto.subtle.sign('HMAC', key, toOctets(text)))
  let texts: readonly string[] = []
  // WebCrypto has no digest of a stream, so a copy is kept.
  const copy = new BodyCopy()
  let isBodyComplete = true
  return {
    compare: (forwarded: Fields): void => {
      texts = toTexts(request, forwarded)
    },
    /** The body to be sent in place of this one. */
    watch: (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
      isBodyComplete = false
      const watched = new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          copy.append(piece)
          controller.enqueue(piece)
        },
        flush: () => {
          isBodyComplete = copy.isWhole
        },
      })
      return body.pipeThrough(watched)
    },
    /** The field line that vouches for the request, and for the response that it is a part of. */
    toField: async ({ status, fields }: DownstreamHead): Promise<readonly [name: string, value: string]> => {
      const body = isBodyComplete ? copy.octets : undefined
      const digests = await Promise.all(
        [...texts.map(toOctets), body].map(
          async (octets) => octets && toBase64Url(await crypto.subtle.digest('SHA-256', octets)),
        ),
      )
      const back = await Promise.all(
        toBackTexts(fields).map((lines) => Promise.all(lines.map((line) => sign(`${claim.nonce}\n${line}`)))),
      )
      const answer = formatVouching(claim, digests, status, back)
      return [VOUCHING, `${answer}.${await sign(answer)}`]
    },
    /** Ends the comparison. */
    forget: (): void => copy.drop(),
  }
}

async function deriveKey({ widgetKey, url }: ServedPoint) {
  const encoder = new TextEncoder()
  const secret = await crypto.subtle.importKey('raw', encoder.encode(widgetKey.reveal()), 'HKDF', false, [
    'deriveKey',
  ])
  const info = encoder.encode(toKeyInfo(url))
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  return crypto.subtle.deriveKey(derivation, secret, hmac, false, ['sign', 'verify'])
}

function toOctets(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function toBase64Url(octets: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(octets)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
