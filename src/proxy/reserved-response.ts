import { OutgoingMessage, ServerResponse } from 'node:http'

/**
 * Keeps everybody but the exchange from writing to a response.
 *
 * Hono's RESPONSE_ALREADY_SENT says so too, but it is lost whenever Hono or a middleware makes a new Response of it,
 * which Hono does for every HEAD: @hono/node-server would then send an empty 200 of its own.
 */
export function reserve(outgoing: ServerResponse): void {
  Object.assign(outgoing, {
    writeHead: () => outgoing,
    write: () => true,
    end: () => outgoing,
    flushHeaders: () => {},
  })
}

/**
 * Writes the head: status, reason phrase, flat field list. Throws on octets that HTTP forbids. Fields that a framework
 * has put on the response are left out: they are the site's words, and the answer is the service's.
 */
export function writeHead(
  outgoing: ServerResponse,
  status: number,
  reason: string,
  fields: readonly string[],
): void {
  if (FIELDS_SET_BEFORE !== undefined) Reflect.set(outgoing, FIELDS_SET_BEFORE, null)
  Reflect.apply(prototype.writeHead, outgoing, [status, reason, fields])
}

/** @returns `false` when the connection is saturated, until `drain` */
export function writeBody(outgoing: ServerResponse, octets: Buffer | string): boolean {
  return Reflect.apply(prototype.write, outgoing, [octets])
}

export function endResponse(outgoing: ServerResponse): void {
  Reflect.apply(prototype.end, outgoing, [])
}

/** Node's own methods, not those that `reserve` or a middleware put on the response. */
const { prototype } = ServerResponse

/**
 * Where Node keeps the fields of `setHeader`. While it holds an object, be it an empty one, the `writeHead` of Node 20
 * keeps the last of repeated fields only, and that of Node 26 changes their order and case. `removeHeader` is no way
 * out: it also switches framing off.
 */
const FIELDS_SET_BEFORE = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === 'kOutHeaders',
)
