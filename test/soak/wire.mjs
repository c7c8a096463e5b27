// How clients of octets read answers, and how either end writes many.

/** Takes one answer off the front of latin1 text; `undefined` when it is not complete. */
export function takeAnswer(octets, method) {
  const headEnd = octets.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = octets.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const rest = octets.slice(headEnd + 4)
  const answer = (body, taken) => ({ status, head, body, rest: rest.slice(taken) })
  if (method === 'HEAD' || status === 204 || status === 304) return answer('', 0)
  if (!/^transfer-encoding: *chunked$/im.test(head)) {
    const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1])
    return rest.length >= length ? answer(rest.slice(0, length), length) : undefined
  }
  let body = ''
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (lineEnd === -1 || rest.length < next) return undefined
    if (size === 0) return answer(body, next)
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size)
    at = next
  }
}

const PIECE = Buffer.alloc(65_536, 'x')

/** Writes so many octets, as fast as they are taken, and ends. */
export function writeOctets(stream, count) {
  let left = count
  const write = () => {
    while (left > 0) {
      const piece = PIECE.subarray(0, Math.min(left, PIECE.length))
      left -= piece.length
      if (!stream.write(piece)) return stream.once('drain', write)
    }
    stream.end()
  }
  write()
}
