import fc from 'fast-check'

/** What a service does on the wire after one request. */
export interface FuzzAnswer {
  /** Latin1. */
  readonly octets: string
  readonly ending: 'open' | 'end' | 'reset'
  /** `no` when the octets were damaged on purpose. */
  readonly isValid: 'yes' | 'no'
  /** Shares of the octets at which the service starts a new write. */
  readonly cuts: readonly number[]
}

/**
 * Responses: about half of them valid, some of these with octets after them, the others with octets changed, removed, inserted or cut off.
 */
export function anyAnswer(): fc.Arbitrary<FuzzAnswer> {
  const damaged = fc
    .tuple(fc.oneof(validOctets, closeDelimited), fc.array(anyDamage(), { minLength: 1, maxLength: 3 }))
    .map(([octets, damages]) => damages.reduce((text, damage) => damage(text), octets))
  const surplus = fc.tuple(validOctets, fc.oneof(validOctets, body)).map((parts) => parts.join(''))
  return fc.oneof(
    { weight: 3, arbitrary: answers(validOctets, 'yes', 'open') },
    { weight: 1, arbitrary: answers(closeDelimited, 'yes', 'end') },
    { weight: 2, arbitrary: answers(surplus, 'yes', 'open', 'end') },
    { weight: 4, arbitrary: answers(damaged, 'no', 'end', 'reset') },
  )
}

function answers(
  octets: fc.Arbitrary<string>,
  isValid: FuzzAnswer['isValid'],
  ...endings: FuzzAnswer['ending'][]
): fc.Arbitrary<FuzzAnswer> {
  return fc.record({
    octets,
    ending: fc.constantFrom(...endings),
    isValid: fc.constant(isValid),
    cuts: fc.array(share, { maxLength: 3 }),
  })
}

const share = fc.double({ min: 0, max: 1, noNaN: true })

const body: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(13, 10, 48)), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes))

const start = fc
  .tuple(
    fc.array(fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n'), {
      maxLength: 2,
    }),
    fc.constantFrom('200 OK', '200 ', '404 Not Found', '302 Found', '500 \xe9', '299 x  y'),
    fc.array(
      fc.constantFrom(
        'Set-Cookie: a=1; Path=/',
        'Set-Cookie: b=\xe9',
        'set-cookie: a=1',
        'X-A: ',
        'Location: /x',
        'Connection: X-A',
        'Content-Type: text/plain',
      ),
      { maxLength: 4 },
    ),
  )
  .map(
    ([early, status, lines]) =>
      `${early.join('')}HTTP/1.1 ${status}\r\n${lines.map((line) => `${line}\r\n`).join('')}`,
  )

const chunked = fc.array(body, { maxLength: 4 }).map((pieces) => {
  const chunks = pieces
    .filter((piece) => piece !== '')
    .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
  return `Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`
})
const measured = body.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`)
const validOctets = fc.tuple(start, fc.oneof(chunked, measured)).map((parts) => parts.join(''))
const closeDelimited = fc.tuple(start, body).map(([head, text]) => `${head}\r\n${text}`)

/** One change of octets somewhere. */
function anyDamage(): fc.Arbitrary<(octets: string) => string> {
  return fc.oneof(
    share.map((at) => (text: string) => text.slice(0, Math.floor(at * text.length))),
    fc.tuple(share, share).map(([from, to]) => (text: string) => {
      const [a, b] = [from, to].map((each) => Math.floor(each * text.length)).sort((x, y) => x - y)
      return text.slice(0, a) + text.slice(b)
    }),
    fc
      .tuple(
        share,
        fc.constantFrom(
          '\0',
          '\r',
          '\n',
          '\r\n',
          '\r\n\r\n',
          ' ',
          ':',
          ';x=1',
          '0',
          '1',
          'f',
          '\xff',
          'Content-Length: 1\r\n',
          'Transfer-Encoding: chunked\r\n',
          'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
        ),
      )
      .map(([at, inserted]) => (text: string) => {
        const place = Math.floor(at * text.length)
        return text.slice(0, place) + inserted + text.slice(place)
      }),
    share.map((at) => (text: string) => {
      const place = Math.floor(at * text.length)
      return `${text.slice(0, place)}${String.fromCharCode(text.charCodeAt(place) ^ 1)}${text.slice(place + 1)}`
    }),
  )
}
