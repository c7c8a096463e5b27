import { parseAuthority, serialiseAuthority } from '../http/authority.ts'
import { type Fields, listMembers } from '../http/fields.ts'
import { parseForwarding } from '../http/forwarding.ts'
import { remember } from '../http/remember.ts'
import { parseRequestTarget, type RequestTarget } from '../http/request-target.ts'
import type { FailureKind } from './failure.ts'
import { VOUCHING } from './field-rules.ts'

/** The other end of a downstream connection. */
export interface Peer {
  /** Address without port; an IPv4-mapped IPv6 address as IPv4. Empty if the socket is closed. */
  readonly address: string
  /** Whether its forwarding fields are believed. */
  readonly isTrusted: boolean
}

/** The raw request as Node provides it: `url` holds the request-target's octets, `rawHeaders` the field lines. */
export interface RawRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersion: string
  readonly rawHeaders: Fields
}

/** The parsed request. Matching, checking and forwarding all use this one view. */
export interface DownstreamRequest {
  readonly method: string
  readonly version: string
  readonly target: RequestTarget
  /** `host[:port]` in lower case. A port is kept as sent, even the default one: the table of points has both spellings. */
  readonly authority: string
  /** Known only from TLS or a trusted proxy. */
  readonly scheme: 'http' | 'https' | undefined
  readonly fields: Fields
  /** The announced length, `chunked`, or `undefined` for no body. */
  readonly body: number | 'chunked' | undefined
  readonly expectation: 'none' | '100-continue'
  /** Whether the response may be 304. */
  readonly isConditional: boolean
  /** What `check` claims to have sent, not yet parsed. */
  readonly claim: string | undefined
}

/**
 * Parses and validates a raw request, in this order: version, number of field lines, octets of the head, Host,
 * request-target, method, forwarding fields, framing, expectation (RFC 9112 sections 3 and 6, RFC 9110 7.2, 10.1.1).
 *
 * Node's joined `headers` drop and merge lines, so only the raw lines are read.
 *
 * @param headLimitBytes for the whole head on the wire, with separators; Node's limit counts names and values only
 */
export function parseDownstreamRequest(
  raw: RawRequest,
  peer: Peer,
  listenerScheme: 'https' | undefined,
  headLimitBytes: number,
): DownstreamRequest | FailureKind {
  const { method = '', url = '', httpVersion: version, rawHeaders: fields } = raw
  if (version !== '1.1' && version !== '1.0') return version === '0.9' ? 'bad-message' : 'bad-version'
  if (fields.length > 2 * MAX_FIELD_LINES) return 'too-many-fields'
  const { lines, octets } = readLines(fields)
  if (method.length + url.length + REQUEST_LINE_OCTETS + octets > headLimitBytes) return 'head-too-large'
  const [host, ...otherHosts] = lines.hosts ?? []
  if (host === undefined || otherHosts.length > 0) return 'bad-host'
  let authority = parseAuthority(host)
  if (authority === undefined) return 'bad-host'
  const target = parseRequestTarget(url)
  if (target === undefined) return 'bad-target'
  if (target.authority !== undefined && target.scheme !== undefined) {
    const named = serialiseAuthority(target.authority, target.scheme)
    if (named !== serialiseAuthority(authority, target.scheme)) return 'target-not-host'
  }
  if (target.path === '*' && method !== 'OPTIONS') return 'bad-target'
  if (method === 'TRACE' || method === 'CONNECT') return 'method-not-allowed'
  let scheme: 'http' | 'https' | undefined = listenerScheme
  if (lines.forwarding !== undefined && peer.isTrusted) {
    const forwarding = parseForwarding(fields)
    if (forwarding === undefined) return 'bad-forwarding'
    if (forwarding.host !== undefined) authority = parseAuthority(forwarding.host)
    if (authority === undefined) return 'bad-forwarding'
    scheme = forwarding.scheme ?? scheme
  }
  const body = readFraming(lines, version)
  if (body === 'bad-framing' || body === 'unknown-coding') return body
  const expectation = lines.expectations?.join().toLowerCase()
  if (expectation !== undefined && expectation !== '100-continue') return 'unknown-expectation'
  return {
    method,
    version,
    target,
    authority: authority.port === undefined ? authority.host : `${authority.host}:${authority.port}`,
    scheme,
    fields,
    body,
    expectation: expectation !== undefined && version === '1.1' ? '100-continue' : 'none',
    isConditional: lines.conditions !== undefined,
    claim: lines.claims?.at(-1),
  }
}

/** The values of the lines that determine something, by their part; `octets` with `: ` and the line end of each line. */
function readLines(fields: Fields) {
  const lines: Partial<Record<Part, string[]>> = {}
  let octets = 0
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    const value = fields[i + 1] as string
    octets += name.length + value.length + 4
    const part = partOf(name)
    if (part === 'none') continue
    const before = lines[part]
    if (before === undefined) lines[part] = [value]
    else before.push(value)
  }
  return { lines, octets }
}

/** Which part of the request a field determines, by its name. */
const partOf = remember((name): Part | 'none' => PARTS.get(name.toLowerCase()) ?? 'none')

type Part = 'hosts' | 'lengths' | 'codings' | 'expectations' | 'forwarding' | 'conditions' | 'claims'

const PARTS: ReadonlyMap<string, Part> = new Map([
  ['host', 'hosts'],
  ['content-length', 'lengths'],
  ['transfer-encoding', 'codings'],
  ['expect', 'expectations'],
  ['forwarded', 'forwarding'],
  ['x-forwarded-host', 'forwarding'],
  ['x-forwarded-proto', 'forwarding'],
  ['if-none-match', 'conditions'],
  ['if-modified-since', 'conditions'],
  [VOUCHING.toLowerCase(), 'claims'],
])

/** Node's parser already rejects most bad framing; it is checked again because a flag can make the parser lenient. */
function readFraming(
  { lengths = [], codings = [] }: ReturnType<typeof readLines>['lines'],
  version: string,
): number | 'chunked' | undefined | 'bad-framing' | 'unknown-coding' {
  if (codings.length > 0) {
    if (lengths.length > 0 || version === '1.0') return 'bad-framing'
    const members = listMembers(codings)
    if (members.at(-1)?.toLowerCase() !== 'chunked') return 'bad-framing'
    return members.length === 1 ? 'chunked' : 'unknown-coding'
  }
  if (lengths.length === 0) return undefined
  const [length = ''] = lengths
  if (lengths.length > 1 || !/^[0-9]{1,15}$/.test(length)) return 'bad-framing'
  return Number(length) || undefined
}

/** Spaces, version and line end, and the empty line after the head. */
const REQUEST_LINE_OCTETS = '  HTTP/1.1\r\n\r\n'.length

/** The most field lines of a head: more than any browser sends, or service needs. Node lists no lines beyond 1,000. */
export const MAX_FIELD_LINES = 256
