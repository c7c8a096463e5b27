import { OutgoingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps everybody but the exchange from writing to a response.
 *
 * Hono's RESPONSE_ALREADY_SENT says so too, but it is lost whenever Hono or a middleware makes a new Response of it,
 * which Hono does for every HEAD: @hono/node-server would then send an empty 200 of its own.
 */
export function reserve(outgoing: ServerResponse): void {
  outgoing.writeHead = ignored
  outgoing.write = () => true
  outgoing.end = ignored
  outgoing.flushHeaders = ignored
}

function ignored(this: ServerResponse): ServerResponse {
  return this
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
  if (FIELDS_SET_BEFORE !== undefined && Reflect.get(outgoing, FIELDS_SET_BEFORE) !== null) {
    Reflect.set(outgoing, FIELDS_SET_BEFORE, null)
  }
  Reflect.apply(prototype.writeHead, outgoing, [status, reason, fields])
}

/** @returns `false` when the connection is saturated, until `drain` */
export function writeBody(outgoing: ServerResponse, octets: Buffer | string): boolean {
  return Reflect.apply(prototype.write, outgoing, [octets])
}

/**
 * Ends the body, with its last octets if there are any. A small answer whose head still waits leaves in one write: given
 * to Node's own `end`, even a text would become two pieces, and gathering pieces costs more than all of our own code.
 */
export function endResponse(outgoing: ServerResponse, lastOctets?: Buffer | string): void {
  const text = bodies === 'with-head' && isSmall(lastOctets) ? lastOctets.toString('latin1') : ''
  if (text !== '' && appendToHead(outgoing, text)) Reflect.apply(prototype.end, outgoing, [])
  else Reflect.apply(prototype.end, outgoing, lastOctets === undefined ? [] : [lastOctets])
}

/** Makes every body go out apart from its head, for a Node that keeps heads elsewhere. */
export function sendBodiesApart(): void {
  bodies = 'apart'
}

let bodies: 'with-head' | 'apart' = 'with-head'

function isSmall(octets: Buffer | string | undefined): octets is Buffer {
  return typeof octets === 'object' && octets.length <= TEXT_LIMIT_OCTETS
}

/** @returns `false` when no head waits to be sent */
function appendToHead(outgoing: WaitingHead, text: string): boolean {
  if (outgoing._headerSent !== false || typeof outgoing._header !== 'string') return false
  outgoing._header += outgoing.chunkedEncoding ? `${text.length.toString(16)}\r\n${text}\r\n` : text
  return true
}

/** Where Node keeps a head that is made but not sent; it goes out as latin1, one octet a character. */
type WaitingHead = ServerResponse & { _header?: string | null; readonly _headerSent?: boolean }

/** Sends 100 Continue. */
export function writeContinue(outgoing: ServerResponse): void {
  Reflect.apply(prototype.writeContinue, outgoing, [])
}

/** Keeps Node from chunking the answer, which it would do for a TE field even in HTTP/1.0 (RFC 9112 section 6.1). */
export function neverChunk(outgoing: ServerResponse): void {
  outgoing.useChunkedEncodingByDefault = false
}

/**
 * Makes Node end the connection after a last answer without closing it for reading: a client that still uploads would
 * see a reset, which can destroy the answer.
 */
export function readOnAfterEnd(socket: Socket): void {
  socket.destroySoon = () => void socket.end()
}

/** Closes the connection, whatever of the answer is out. */
export function destroyResponse(outgoing: ServerResponse): void {
  Reflect.apply(prototype.destroy, outgoing, [])
}

/** Whether a head has been made, by us or by somebody else. */
export function hasHead(outgoing: ServerResponse): boolean {
  return Reflect.get(prototype, 'headersSent', outgoing)
}

/** Whether the connection takes no more octets, until `drain`. */
export function isSaturated(outgoing: ServerResponse): boolean {
  return Reflect.get(prototype, 'writableNeedDrain', outgoing)
}

/** Whether all of the answer was handed to the kernel. */
export function isFinished(outgoing: ServerResponse): boolean {
  return Reflect.get(prototype, 'writableFinished', outgoing)
}

/** Whether nothing can be answered any more: somebody has answered whole, or the connection is closed. */
export function isOver(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || Reflect.get(prototype, 'writableEnded', outgoing)
}

export function listen(outgoing: ServerResponse, event: 'close' | 'drain', listener: () => void): void {
  Reflect.apply(prototype.on, outgoing, [event, listener])
}

/**
 * Calls `listener` when Node gives the response its socket, which it does once the answers before it are out. A response
 * that never gets there, because its client left, calls nobody.
 */
export function onTurn(outgoing: ServerResponse, listener: () => void): void {
  Reflect.apply(prototype.once, outgoing, ['socket', listener])
}

/**
 * Node's own methods, not those that `reserve` or a middleware put on the response: compression takes over `write`, `end`
 * and the listeners of `drain`, sessions `writeHead` and `end`.
 */
const { prototype } = ServerResponse

/**
 * Where Node keeps the fields of `setHeader`. While it holds an object, be it an empty one, the `writeHead` of Node 20
 * keeps the last of repeated fields only, and that of Node 26 changes their order and case. `removeHeader` is no way
 * out: it also switches framing off.
 */
const FIELDS_SET_BEFORE = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === 'kOutHeaders',
)

const TEXT_LIMIT_OCTETS = 16_384
