/** A complete final response, parsed from octets. */
export interface ReadAnswer {
  readonly status: number
  readonly body: string
  readonly cookies: readonly string[]
}

/**
 * Reads what a service wrote, without the program's code and as strictly as RFC 9112 allows: what is not certainly a
 * complete response is not one. Octets after the response don't matter here.
 *
 * @param ending how the service closed the connection; only `end` completes an answer without framing
 */
export function readAnswer(octets: string, ending: 'open' | 'end' | 'reset'): ReadAnswer | undefined {
  let rest = octets
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) return undefined
    const [startLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |$)/.exec(startLine)?.[1])
    if (Number.isNaN(status) || status === 101) return undefined
    rest = rest.slice(headEnd + 4)
    if (status < 200) continue
    const body = readBody(rest, lines, status, ending)
    return body === undefined ? undefined : { status, body, cookies: values(lines, 'set-cookie') }
  }
}

function readBody(
  rest: string,
  lines: readonly string[],
  status: number,
  ending: 'open' | 'end' | 'reset',
): string | undefined {
  if (status === 204 || status === 304) return ''
  const codings = values(lines, 'transfer-encoding')
  const lengths = values(lines, 'content-length')
  if (codings.length > 0)
    return codings.join().toLowerCase() === 'chunked' && lengths.length === 0 ? readChunks(rest) : undefined
  if (lengths.length > 1) return undefined
  const [length] = lengths
  if (length === undefined) return ending === 'end' ? rest : undefined
  if (!/^[0-9]+$/.test(length) || rest.length < Number(length)) return undefined
  return rest.slice(0, Number(length))
}

function readChunks(rest: string): string | undefined {
  let body = ''
  let at = 0
  for (;;) {
    const line = /^([0-9A-Fa-f]+)(?:[ \t]*;[^\r\n]*)?\r\n/.exec(rest.slice(at))
    if (line === null) return undefined
    const size = Number.parseInt(line[1] ?? '', 16)
    at += line[0].length
    if (size === 0) return /^(?:[^\r\n]+\r\n)*\r\n/.test(rest.slice(at)) ? body : undefined
    if (rest.slice(at + size, at + size + 2) !== '\r\n') return undefined
    body += rest.slice(at, at + size)
    at += size + 2
  }
}

function values(lines: readonly string[], name: string): string[] {
  return lines
    .filter((line) => line.slice(0, line.indexOf(':')).toLowerCase() === name)
    .map((line) => line.slice(line.indexOf(':') + 1).replace(/^[ \t]+|[ \t]+$/g, ''))
}
