import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import { type Fields, valuesOf } from '../http/fields.ts'
import type { ProbeResponse } from './probe.ts'

export type BoundedBody = ReturnType<typeof openBody>

/** The bytes of a body, up to a limit. Pieces are copied, so that many tiny ones take no more memory than one large one. */
export function openBody(limitBytes: number, mostPieces = Number.POSITIVE_INFINITY) {
  let bytes = Buffer.alloc(0)
  let length = 0
  let pieces = 0
  let isCut = false
  return {
    limitBytes,
    isCut: () => isCut,
    /** Keeps what there is room for; returns whether that was all, since reading can stop otherwise. */
    add: (piece: Uint8Array): boolean => {
      const kept = piece.subarray(0, limitBytes - length)
      const needed = length + kept.length
      if (needed > bytes.length) {
        const larger = Buffer.alloc(Math.min(limitBytes, Math.max(SMALLEST_BYTES, 2 * needed)))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      bytes.set(kept, length)
      length = needed
      pieces += 1
      isCut ||= kept.length < piece.length || pieces >= mostPieces
      return !isCut
    },
    bytes: () => bytes.subarray(0, length),
  }
}

type Decoded = Pick<ProbeResponse, 'body' | 'fault' | 'isCut' | 'isUndecoded'>

/** Reads the body of a response. `isCut`: the connection ended before the body did. */
export function decodeBody(kept: BoundedBody, fields: Fields, isCut: boolean): Decoded {
  const bytes = kept.bytes()
  const cut = isCut ? { fault: `the connection ends after ${bytes.length} bytes of the body` } : {}
  const limited = kept.isCut() ? { isCut: true } : {}
  const coding = valuesOf(fields, 'content-encoding').join()
  return { ...cut, ...limited, ...decode(bytes, coding, kept.limitBytes) }
}

/** Decodes codings that nobody asked for, but that some front ends use all the same. */
function decode(bytes: Buffer, coding: string, limitBytes: number): Decoded {
  const isPlain = bytes.length === 0 || coding === '' || /^identity$/i.test(coding)
  if (isPlain) return isGzip(bytes) ? undecoded(UNNAMED) : { body: bytes.toString('utf8') }
  const shown = coding.slice(0, 50)
  const known = DECODERS.get(coding.trim().toLowerCase())
  try {
    if (known !== undefined) {
      const [decoder, flush] = known
      // A body that was cut at the limit has no end.
      const finishFlush = bytes.length < limitBytes ? undefined : flush
      const decoded = decoder(bytes, { maxOutputLength: MOST_DECODED, finishFlush })
      if (isGzip(decoded))
        return undecoded(`the body is compressed twice, and Content-Encoding says ${shown}`)
      const limited = decoded.length > limitBytes ? { isCut: true } : {}
      return { ...limited, body: decoded.toString('utf8', 0, limitBytes) }
    }
  } catch {
    // The fault is reported.
  }
  return undecoded(`the body can't be decoded, though Content-Encoding says ${shown}`)
}

function undecoded(fault: string): Decoded {
  return { body: '', fault, isUndecoded: true }
}

/** RFC 1952 section 2.3.1: its first bytes, with the only method there is. */
function isGzip(bytes: Buffer): boolean {
  return bytes.length > 2 && bytes.readUIntBE(0, 3) === 0x1f8b08
}

const UNNAMED = 'the body is compressed, and no Content-Encoding says so'

const SMALLEST_BYTES = 1_024
/** With what makes each decode a beginning. */
const DECODERS: ReadonlyMap<string, readonly [typeof gunzipSync | typeof brotliDecompressSync, number]> =
  new Map([
    ['gzip', [gunzipSync, constants.Z_SYNC_FLUSH]],
    ['x-gzip', [gunzipSync, constants.Z_SYNC_FLUSH]],
    ['deflate', [inflateSync, constants.Z_SYNC_FLUSH]],
    ['br', [brotliDecompressSync, constants.BROTLI_OPERATION_FLUSH]],
  ])
const MOST_DECODED = 4_194_304
