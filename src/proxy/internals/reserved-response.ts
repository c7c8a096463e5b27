import { OutgoingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps all code but the exchange from writing to a response.
 *
 * Hono's RESPONSE_ALREADY_SENT is meant for that, but it is lost whenever Hono or a middleware makes a new Response of
 * it, which Hono does for every HEAD: @hono/node-server would then send an empty 200 of its own.
 */
export function reserve(outgoing: ServerResponse): void {
  outgoing.writeHead = ignored
  outgoing.write = taken
  outgoing.end = ignored
  outgoing.flushHeaders = ignored
}

function taken(): boolean {
  return true
}

function ignored(this: ServerResponse): ServerResponse {
  return this
}

/**
 * Writes the head: status, reason phrase, flat field list. Throws on octets that HTTP forbids. Fields that a framework
 * has set before are dropped: they belong to the site's response, and this one is the service's.
 */
export function writeHead(
  outgoing: ServerResponse,
  status: number,
  reason: string,
  fields: readonly string[],
): void {
  if (FIELDS_SET_BEFORE !== undefined && Reflect.get(outgoing, FIELDS_SET_BEFORE) !== null)
    Reflect.set(outgoing, FIELDS_SET_BEFORE, null)
  Reflect.apply(prototype.writeHead, outgoing, [status, reason, fields])
}

/** Calls `onWritten` once the kernel has taken all of it, or never will. */
export function writeBody(outgoing: ServerResponse, octets: Buffer | string, onWritten?: () => void): void {
  Reflect.apply(prototype.write, outgoing, [octets, onWritten])
}

/**
 * Ends the body, with its last octets if there are any. A small response whose head is not sent yet goes out in one write:
 * Node's own `end` makes two pieces, and joining them (`writev`) costs more than all of our own code.
 */
export function endResponse(outgoing: ServerResponse, lastOctets?: Buffer | string): void {
  const text = isSmall(lastOctets) ? lastOctets.toString('latin1') : ''
  if (text !== '' && appendToHead(outgoing, text)) Reflect.apply(prototype.end, outgoing, [])
  else Reflect.apply(prototype.end, outgoing, lastOctets === undefined ? [] : [lastOctets])
}

function isSmall(octets: Buffer | string | undefined): octets is Buffer {
  return typeof octets === 'object' && octets.length <= TEXT_LIMIT_OCTETS
}

/** @returns `false` if there is no unsent head */
function appendToHead(outgoing: WaitingHead, text: string): boolean {
  if (outgoing._headerSent !== false || typeof outgoing._header !== 'string') return false
  outgoing._header += outgoing.chunkedEncoding ? `${text.length.toString(16)}\r\n${text}\r\n` : text
  return true
}

/** Where Node keeps a head that is rendered but not sent; it is written as latin1, one octet for each character. */
type WaitingHead = ServerResponse & { _header?: string | null; readonly _headerSent?: boolean }

/** Sends 100 Continue. */
export function writeContinue(outgoing: ServerResponse): void {
  Reflect.apply(prototype.writeContinue, outgoing, [])
}

/** Keeps Node from chunking the response, which it would do for a TE field even in HTTP/1.0 (RFC 9112 section 6.1). */
export function neverChunk(outgoing: ServerResponse): void {
  outgoing.useChunkedEncodingByDefault = false
}

/**
 * Makes Node half-close the connection after the last response, so that it can still be read: otherwise a client that is
 * uploading gets a reset, which can destroy the response.
 */
export function readOnAfterEnd(socket: Socket): void {
  socket.destroySoon = () => void socket.end()
}

/** Closes the connection, whether or not the response is complete. */
export function destroyResponse(outgoing: ServerResponse): void {
  Reflect.apply(prototype.destroy, outgoing, [])
}

/** Whether a head has been written, by us or by other code. */
export function hasHead(outgoing: ServerResponse): boolean {
  return headersSent(outgoing)
}

/** Whether all of the response was handed to the kernel. */
export function isFinished(outgoing: ServerResponse): boolean {
  return writableFinished(outgoing)
}

/** Whether it is too late to answer: the response is complete, or the connection is closed. */
export function isOver(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || writableEnded(outgoing)
}

export function listen(outgoing: ServerResponse, event: 'close', listener: () => void): void {
  Reflect.apply(prototype.on, outgoing, [event, listener])
}

/** Calls `listener` when all of the response was handed to the kernel, after Node's own listener. */
export function onFinish(outgoing: ServerResponse, listener: () => void): void {
  Reflect.apply(prototype.once, outgoing, ['finish', listener])
}

/** Whether all of the response was handed to Node. */
export function isEnded(outgoing: ServerResponse): boolean {
  return writableEnded(outgoing)
}

/** Whether the connection closes after this response, as its head says or will say. */
export function isLast(outgoing: ServerResponse): boolean {
  return !outgoing.shouldKeepAlive || Reflect.get(outgoing, '_last') === true
}

/** The response that is being sent on a client connection; later ones wait until the kernel has all of it. */
export function responseOn(socket: Socket): ServerResponse | undefined {
  return Reflect.get(socket, '_httpMessage') ?? undefined
}

/**
 * Node's own methods, not those that `reserve` or a middleware has set on the response: compression replaces `write`,
 * `end` and the listeners of `drain`, session middleware replaces `writeHead` and `end`.
 */
const { prototype } = ServerResponse
const headersSent = getterOf('headersSent')
const writableFinished = getterOf('writableFinished')
const writableEnded = getterOf('writableEnded')

/** Node's own getter, several times as fast as `Reflect.get` with a receiver. */
function getterOf(name: keyof ServerResponse): (outgoing: ServerResponse) => boolean {
  const get = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, name)?.get
  return get === undefined
    ? (outgoing) => Reflect.get(prototype, name, outgoing)
    : (outgoing) => get.call(outgoing)
}

/**
 * Where Node keeps the fields of `setHeader`. While it holds an object, even an empty one, the `writeHead` of Node 20
 * keeps only the last of repeated fields, and that of Node 26 changes their order and case. `removeHeader` switches framing off.
 */
const FIELDS_SET_BEFORE = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === 'kOutHeaders',
)

const TEXT_LIMIT_OCTETS = 16_384
