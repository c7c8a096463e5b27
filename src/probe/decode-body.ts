import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Fields, valuesOf } from '../http/fields.ts'
import type { ProbeResponse } from './probe.ts'

type Decoded = Pick<ProbeResponse, 'body' | 'fault'>

/** Reads the body of a response. `isCut`: the connection ended before the body did. */
export function decodeBody(bytes: Buffer, fields: Fields, isCut: boolean): Decoded {
  const cut = isCut ? { fault: `the connection ends after ${bytes.length} bytes of the body` } : {}
  return { ...cut, ...decode(bytes, valuesOf(fields, 'content-encoding').join()) }
}

/** Decodes codings that nobody asked for, but that some front ends use all the same. */
function decode(bytes: Buffer, coding: string): Decoded {
  const isPlain = bytes.length === 0 || coding === '' || /^identity$/i.test(coding)
  if (isPlain) return { body: bytes.toString('utf8') }
  const decoder = DECODERS.get(coding.trim().toLowerCase())
  try {
    if (decoder !== undefined)
      return { body: decoder(bytes, { maxOutputLength: MOST_DECODED }).toString('utf8') }
  } catch {
    // The fault is reported.
  }
  return { body: '', fault: `the body can't be decoded, though Content-Encoding says ${coding.slice(0, 50)}` }
}

const DECODERS: ReadonlyMap<string, typeof gunzipSync | typeof brotliDecompressSync> = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])
const MOST_DECODED = 4_194_304
