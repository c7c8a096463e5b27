/**
 * What the contract says about a request, written a second time, without the program's code. It has no order of faults:
 * where several apply, the answer to any of them is right.
 */
export interface FuzzRequest {
  readonly method: string
  readonly host: string
  /** `origin`, or `absolute` with an authority of its own. */
  readonly form: 'origin' | { readonly absolute: string }
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Body
}

export type Body =
  | { readonly framing: 'none' }
  | { readonly framing: 'length' | 'two-lengths' | 'both' | 'bad-length'; readonly octets: string }
  | { readonly framing: 'chunked'; readonly pieces: readonly string[] }

export type Expected =
  | { readonly kind: 'refused'; readonly statuses: readonly number[] }
  | {
      readonly kind: 'forwarded'
      readonly target: string
      readonly fields: readonly (readonly [string, string])[]
      readonly body: string
    }

/** Where the model's points are; all on http://www.example.com. */
const POINT_PATHS = ['/shop/service_cookie_transfer/', '/service_cookie_transfer/']

export function expected(request: FuzzRequest): Expected {
  const statuses = [...refusals(request)]
  if (statuses.length > 0) return { kind: 'refused', statuses }
  const pointPath = POINT_PATHS.find((path) => request.path.startsWith(path)) ?? ''
  const cookiePath = pointPath.slice(0, -'/service_cookie_transfer/'.length)
  return {
    kind: 'forwarded',
    target: request.path.slice(cookiePath.length) + request.query,
    fields: keptFields(request.fields),
    body: bodyOctets(request.body),
  }
}

export function bodyOctets(body: Body): string {
  if (body.framing === 'none') return ''
  return body.framing === 'chunked' ? body.pieces.join('') : body.octets
}

function* refusals({ method, host, form, path, query, fields, body }: FuzzRequest): Generator<number> {
  if (method === 'TRACE') yield 405
  const authority = plainAuthority(host)
  if (/[^A-Za-z0-9.:-]/.test(host) || host === '') yield 400
  else if (authority !== 'www.example.com') yield 421
  if (form !== 'origin' && plainAuthority(form.absolute) !== authority) yield 400
  if (/[^\x21-\x7e]|#/.test(path + query)) yield 400
  if (path.includes('\\') || /%0[0ad]/i.test(path)) yield 400
  const decoded = path.replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/')
  if (decoded.split('/').some((segment) => segment === '.' || segment === '..')) yield 400
  const isBare = POINT_PATHS.some((point) => `${path}/` === point)
  if (isBare) yield method === 'GET' || method === 'HEAD' ? 308 : 404
  else if (!POINT_PATHS.some((point) => path.startsWith(point))) yield 404
  if (body.framing === 'two-lengths' || body.framing === 'both' || body.framing === 'bad-length') yield 400
  for (const [name, value] of fields) {
    if (/^expect$/i.test(name) && value.toLowerCase() !== '100-continue') yield 417
    if (/^via$/i.test(name) && /(?:^|,)\s*\S+\s+continuation-point(?:\s|,|$)/i.test(value)) yield 508
  }
  if (fields.filter(([name]) => /^expect$/i.test(name)).length > 1) yield 417
}

function plainAuthority(text: string): string {
  return text.toLowerCase().replace(/:80$/, '')
}

function keptFields(fields: FuzzRequest['fields']): (readonly [string, string])[] {
  const named = fields
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()))
  return fields.filter(([name]) => {
    const lower = name.toLowerCase()
    if (named.includes(lower) || NEVER_FORWARDED.has(lower)) return false
    const folded = lower.replace(/[^a-z0-9]/g, '-')
    if (/^(?:x-widget-key|x-continuation-origin)$/.test(folded)) return false
    return folded === lower || !/^(?:x-forwarded-.*|content-length|transfer-encoding)$/.test(folded)
  })
}

const NEVER_FORWARDED = new Set(
  'connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade expect forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-server'.split(
    ' ',
  ),
)
