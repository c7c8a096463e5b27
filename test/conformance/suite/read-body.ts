import type { IncomingMessage } from 'node:http'
import { openBody } from '../../../src/probe/response-body.ts'
import type { Arrival } from './cases/run.ts'
import type { Gate } from './gate.ts'

/**
 * Reads the body that either end receives, as latin1 text. Cases send 1 MiB, so an excess is noticed; it is cut off.
 *
 * @param begun opens with the first octets
 */
export function readBody(incoming: IncomingMessage, begun: Gate): Promise<Pick<Arrival, 'body' | 'end'>> {
  return new Promise((resolve) => {
    const body = openBody(LIMIT_BYTES)
    const settle = (end: Arrival['end']) => {
      incoming.off('data', keep)
      resolve({ body: body.bytes().toString('latin1'), end })
    }
    const keep = (chunk: Buffer) => {
      begun.open()
      if (body.add(chunk)) return
      settle('cut')
      incoming.destroy()
    }
    incoming
      .on('data', keep)
      .once('end', () => settle('complete'))
      .once('error', () => settle('cut'))
      .once('close', () => settle('cut'))
  })
}

const LIMIT_BYTES = 2 * 1_048_576
