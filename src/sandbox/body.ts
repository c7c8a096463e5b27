import type { IncomingMessage } from 'node:http'

/** Why there is no body: it is over the limit, or the sender left. */
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
