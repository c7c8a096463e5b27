import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer } from '../forward/answer.ts'

/** Answers on the bare socket, since no request was parsed; what else arrives is discarded. */
export function answerBare(socket: Socket, { status, fields, body }: Answer): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close']
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  lingerOn(socket)
}

/** Reads and discards for a second after the last response, then closes: a reset could overtake the response. */
function lingerOn(socket: Socket): void {
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(deadline))
  socket.on('error', () => {})
  socket.resume()
}

const LINGER_MS = 1_000
