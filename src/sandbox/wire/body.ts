import type { IncomingMessage } from 'node:http'
import { fault, type Members, objectOf, type Parsed, parse, type ValuesOf } from '../schema/schema.ts'

/** Why there is no body: it exceeds the limit, or the sender left. */
export type BodyFault = 'too-large' | 'aborted'

/**
 * Reads a body to its end, or until it exceeds the limit. Events rather than `for await`: leaving that loop early
 * destroys the socket that the answer has to go out on.
 */
export function readBody(incoming: IncomingMessage, limitOctets: number): Promise<Buffer | BodyFault> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let octets = 0
    const onData = (chunk: Buffer) => {
      octets += chunk.length
      chunks.push(chunk)
      if (octets <= limitOctets) return
      incoming.pause().off('data', onData)
      resolve('too-large')
    }
    incoming
      .on('data', onData)
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', () => resolve('aborted'))
      .once('close', () => resolve('aborted'))
  })
}

/** The answer to a body that could not be read. */
export function refuseBody(fault: BodyFault, limitOctets: number): Response {
  if (fault === 'aborted') return new Response(null, { status: 400 })
  return Response.json({ errors: { body: [`It must have at most ${limitOctets} bytes.`] } }, { status: 413 })
}

/** Reads a JSON body; an empty one counts as an object without members. */
export function parseBody<const M extends Members>(members: M, octets: Uint8Array): Parsed<ValuesOf<M>> {
  if (octets.length === 0) return parse(objectOf(members), {})
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(octets))
  } catch {
    return fault('is not JSON in UTF-8')
  }
  return parse(objectOf(members), value)
}
