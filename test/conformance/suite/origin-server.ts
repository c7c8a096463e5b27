import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Manner } from './cases/case.ts'
import type { Arrival, ScriptedResponse } from './cases/run.ts'
import { closedGate } from './gate.ts'
import { readBody } from './read-body.ts'

/** The suite's service: it responds as scripted and reports what it received. */
export type OriginServer = Awaited<ReturnType<typeof startOriginServer>>

/** The field with the script of a request, so that a request that a point repeats late is not counted for another script. */
export const SCRIPT_FIELD = 'X-Conformance-Script'

/**
 * Starts the suite's service on loopback; port 0 picks a free one. It does not imitate the real service, unlike the sandbox:
 * what a point must preserve shows only if both ends can send anything.
 *
 * @throws Node's listen error
 */
export async function startOriginServer(port: number) {
  let current: Script | undefined
  let scripts = 0
  let connected = 0
  const connections = new WeakMap<Socket, number>()
  const held = new Set<ServerResponse>()
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_OCTETS, keepAliveTimeout: 0 })
  // By default Node silently drops fields beyond a number of lines.
  server.maxHeadersCount = 0
  server.on('request', (incoming, outgoing) => {
    held.add(outgoing)
    outgoing.once('close', () => held.delete(outgoing))
    const mark = incoming.headers[SCRIPT_FIELD.toLowerCase()]
    // Also accepts requests of a point that drops the field.
    if (current !== undefined && (mark ?? current.mark) === current.mark) {
      void respond(incoming, outgoing, current, connections.get(incoming.socket) ?? 0)
    } else outgoing.writeHead(503, ['Content-Length', '0']).end()
  })
  server.on('connection', (socket) => {
    connected += 1
    connections.set(socket, connected)
  })
  server.on('checkContinue', (incoming, outgoing) => {
    outgoing.writeContinue()
    server.emit('request', incoming, outgoing)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Sends this response to every request from now on; exchanges of the previous script are aborted. */
    script(response: Required<ScriptedResponse>, manner: Manner): Script {
      for (const outgoing of held) outgoing.destroy()
      scripts += 1
      current = openScript(response, manner, String(scripts))
      return current
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** One case on the service's side. */
export type Script = ReturnType<typeof openScript>

function openScript(response: Required<ScriptedResponse>, manner: Manner, mark: string) {
  return {
    /** The value of `SCRIPT_FIELD` in its requests. */
    mark,
    response,
    manner,
    arrivals: [] as Arrival[],
    /** The head of a request has arrived. */
    asked: closedGate(),
    /** The first octets of a body have arrived. */
    uploading: closedGate(),
    /** A connection closed before its response was sent. */
    left: closedGate(),
    /** The held-back part may be sent. */
    release: closedGate(),
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  script: Script,
  connection: number,
): Promise<void> {
  script.asked.open()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) script.left.open()
  })
  const read = await readBody(incoming, script.uploading)
  if (script.arrivals.length < MOST_ARRIVALS) {
    const { method = '', url: target = '', rawHeaders: fields } = incoming
    script.arrivals.push({ connection, method, target, fields, ...read })
  }
  if (read.end === 'complete') await sendResponse(incoming.method ?? '', outgoing, script)
}

async function sendResponse(method: string, outgoing: ServerResponse, script: Script): Promise<void> {
  const { response, manner } = script
  if (manner === 'client-leaves') return
  if (manner === 'service-leaves') {
    outgoing.destroy()
    return
  }
  if (manner === 'hints-first') outgoing.writeEarlyHints({ link: '</_conformance/none>; rel=preload' })
  const { status, reason, body, framing } = response
  const isBodiless = status === 204 || status === 304
  const length = isBodiless || framing === 'chunked' ? [] : ['Content-Length', String(body.length)]
  outgoing.writeHead(status, reason, [...response.fields, ...length])
  if (method === 'HEAD' || isBodiless) {
    outgoing.end()
    return
  }
  const half = body.slice(0, Math.ceil(body.length / 2))
  if (manner === 'service-cuts') {
    outgoing.write(half, 'latin1')
    await script.release.opened
    outgoing.destroy()
    return
  }
  if (manner === 'head-first') outgoing.flushHeaders()
  if (manner === 'half-first') outgoing.write(half, 'latin1')
  if (manner === 'head-first' || manner === 'half-first') await script.release.opened
  outgoing.end(manner === 'half-first' ? body.slice(half.length) : body, 'latin1')
}

const HEADER_LIMIT_OCTETS = 1024 * 1024
/** More than any case needs; a point that repeats a request endlessly reaches this limit. */
const MOST_ARRIVALS = 100
