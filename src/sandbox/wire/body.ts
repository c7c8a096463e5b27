import type { IncomingMessage } from 'node:http'
import { type Members, objectOf, type Parsed, parse, type ValuesOf } from '../schema/schema.ts'

/**
 * Reads a body to its end, or until it exceeds the limit or its sender leaves; then returns the answer. Events rather than
 * `for await`: leaving that loop early destroys the socket that the answer has to go out on.
 */
export function readBody(incoming: IncomingMessage, limitOctets: number): Promise<Buffer | Response> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let octets = 0
    const onData = (chunk: Buffer) => {
      octets += chunk.length
      chunks.push(chunk)
      if (octets <= limitOctets) return
      incoming.pause().off('data', onData)
      const errors = { body: [`It must have at most ${limitOctets} bytes.`] }
      resolve(Response.json({ errors }, { status: 413 }))
    }
    const onAborted = () => resolve(new Response(null, { status: 400 }))
    incoming
      .on('data', onData)
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', onAborted)
      .once('close', onAborted)
  })
}

/** Reads a JSON body; an empty one counts as an object without members. */
export function parseBody<const M extends Members>(members: M, octets: Uint8Array): Parsed<ValuesOf<M>> {
  if (octets.length === 0) return parse(objectOf(members), {})
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(octets))
  } catch {
    return { faults: [{ path: [], message: 'is not JSON in UTF-8' }] }
  }
  return parse(objectOf(members), value)
}
