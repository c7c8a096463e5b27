import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { type Fields, valuesOf } from '../../http/fields.ts'
import { type Members, objectOf, type Parsed, parse, type ValuesOf } from './schema.ts'

export type App = Hono<{ Bindings: HttpBindings }>
export type AppContext = Context<{ Bindings: HttpBindings }>

/** A request exactly as it arrived, not normalised by any library. */
export type Arrival = Readonly<ReturnType<typeof observeArrival>>

/** Records a request after its body was read. */
export function observeArrival(incoming: IncomingMessage, body: Buffer) {
  const target = incoming.url ?? ''
  const [path = ''] = target.split('?', 1)
  const fields: Fields = incoming.rawHeaders
  return {
    method: incoming.method ?? '',
    /** The request-target, raw. */
    target,
    /** The raw target up to its query. */
    path,
    query: new URLSearchParams(target.slice(path.length)),
    /** The origin at which it arrived, by its Host. */
    root: `http://${incoming.headers.host ?? ''}`,
    fields,
    /** Enough of a body to tell whether it arrived unchanged; the digest is hexadecimal. */
    body: { octets: body.length, sha256: createHash('sha256').update(body).digest('hex') },
  }
}

/**
 * Whether a request is a preflight, and the fields that let a page read the answer (Fetch standard, "CORS protocol"). Vary is
 * on every answer, since each may differ for another Origin.
 */
export function judgeCors({ method, fields }: Arrival, mayRead: (origin: string) => boolean) {
  const [origin, ...more] = valuesOf(fields, 'origin')
  if (origin === undefined || more.length > 0 || !mayRead(origin))
    return { isPreflight: false, headers: { Vary: 'Origin' } }
  const isPreflight = method === 'OPTIONS' && valuesOf(fields, 'access-control-request-method').length > 0
  const asked = valuesOf(fields, 'access-control-request-headers').join(', ')
  const headers = {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    ...(isPreflight && { 'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }),
    ...(isPreflight && asked !== '' && { 'Access-Control-Allow-Headers': asked }),
  }
  return { isPreflight, headers }
}

/**
 * Reads a body to its end, or until it exceeds the limit or its sender leaves; then returns the answer. Events rather than
 * `for await`: leaving that loop early destroys the socket that the answer has to go out on.
 */
export function readBody(incoming: IncomingMessage, limitOctets = 64 * 1024): Promise<Buffer | Response> {
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
  return parse(objectOf(members), octets.length === 0 ? {} : parseJson(octets))
}

/** The value of JSON in UTF-8; `undefined`, which no schema takes, for anything else, and for what is too deep to answer. */
export function parseJson(octets: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(octets))
    return isWithin(MOST_LEVELS, value) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithin(levels: number, value: unknown): boolean {
  const members = typeof value === 'object' && value !== null ? Object.values(value) : []
  return levels > 0 && members.every((each) => isWithin(levels - 1, each))
}

const MOST_LEVELS = 100
