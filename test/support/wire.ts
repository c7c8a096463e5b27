/** HTTP/1.1 messages as tests read them: latin1 text, one character for each octet. */

export interface WireMessage {
  /** Request line or status line. */
  readonly startLine: string
  /** Field lines in order, as they stood on the wire. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The body without its framing. */
  readonly body: string
  /** Every octet of the message. */
  readonly octets: string
}

/** What the octets of a message don't say about it. */
export interface Framing {
  /** A response to HEAD, or a 1xx, 204 or 304, has no body. */
  readonly body: 'as-framed' | 'none'
  /** Whether more octets can arrive. */
  readonly stream: 'open' | 'ended'
}

/** The first message in `octets`, or `undefined` if it is incomplete. */
export function takeMessage(octets: string, framing: Framing): WireMessage | undefined {
  const headEnd = octets.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [startLine = '', ...lines] = octets.slice(0, headEnd).split('\r\n')
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const rest = octets.slice(headEnd + 4)
  const framed = takeBody(
    rest,
    onlyValue(fields, 'transfer-encoding'),
    onlyValue(fields, 'content-length'),
    startLine,
    framing,
  )
  if (framed === undefined) return undefined
  return { startLine, fields, body: framed.body, octets: octets.slice(0, headEnd + 4 + framed.taken) }
}

/** The value of the only line of a field, or `undefined`. */
export function onlyValue(fields: WireMessage['fields'], lowerName: string): string | undefined {
  return fields.find(([name]) => name.toLowerCase() === lowerName)?.[1]
}

/** Every value of a field, in order. */
export function valuesOf(message: Pick<WireMessage, 'fields'>, lowerName: string): string[] {
  return message.fields.filter(([name]) => name.toLowerCase() === lowerName).map(([, value]) => value)
}

function takeBody(
  rest: string,
  coding: string | undefined,
  length: string | undefined,
  startLine: string,
  framing: Framing,
): { body: string; taken: number } | undefined {
  const isResponse = startLine.startsWith('HTTP/')
  const isBodiless = isResponse && /^HTTP\/1\.[01] (?:1..|204|304)/.test(startLine)
  if (framing.body === 'none' || isBodiless) return { body: '', taken: 0 }
  if (coding?.toLowerCase() === 'chunked') return takeChunks(rest)
  if (length !== undefined) {
    const count = Number(length)
    return rest.length < count ? undefined : { body: rest.slice(0, count), taken: count }
  }
  if (!isResponse) return { body: '', taken: 0 }
  return framing.stream === 'ended' ? { body: rest, taken: rest.length } : undefined
}

function takeChunks(rest: string): { body: string; taken: number } | undefined {
  let body = ''
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.slice(at, lineEnd), 16)
    const dataAt = lineEnd + 2
    if (rest.length < dataAt + size + 2) return undefined
    if (size === 0) {
      const end = rest.indexOf('\r\n', dataAt)
      return end === -1 ? undefined : { body, taken: end + 2 }
    }
    body += rest.slice(dataAt, dataAt + size)
    at = dataAt + size + 2
  }
}
