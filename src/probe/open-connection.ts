import { createHash, X509Certificate } from 'node:crypto'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import tls, { type DetailedPeerCertificate, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Certificate, Endpoint, Unconnected } from './probe.ts'
import { chooseAuthorities, type Trust } from './trust.ts'

/** An open connection; the caller closes it. */
export interface Opened {
  readonly kind: 'opened'
  readonly socket: Socket
  readonly certificate: Certificate | undefined
  /** What both ends agreed on by ALPN. */
  readonly agreed: string | undefined
}

/**
 * Opens a TCP connection and, for https, TLS on it. An invalid certificate doesn't close it: callers must look for a fault first.
 */
export async function openConnection(
  { scheme, host, port }: Endpoint,
  address: string,
  trust: Trust | undefined,
  signal: AbortSignal,
  protocols: readonly ('h2' | 'http/1.1')[] = ['http/1.1'],
): Promise<Opened | Unconnected> {
  const tcp = connectTcp({ host: address, port, noDelay: true })
  const fault = await settled(tcp, 'connect', signal)
  if (fault !== undefined) {
    tcp.destroy()
    return { kind: 'unconnected', cause: classifyTcpError(fault), code: fault }
  }
  if (scheme === 'http') return { kind: 'opened', socket: tcp, certificate: undefined, agreed: undefined }
  const name = host.replace(/^\[|\]$/g, '')
  const ca = chooseAuthorities(trust)
  const socket = tls.connect({
    socket: tcp,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : { checkServerIdentity: checkAddress }),
    ...(ca && { ca }),
    ALPNProtocols: [...protocols],
    rejectUnauthorized: false,
  })
  const tlsFault = await settled(socket, 'secureConnect', signal)
  if (tlsFault === undefined) {
    const agreed = socket.alpnProtocol || undefined
    return { kind: 'opened', socket, certificate: readCertificate(socket), agreed }
  }
  socket.destroy()
  return { kind: 'unconnected', cause: tlsFault === TIMEOUT ? 'timeout' : 'tls', code: tlsFault }
}

/** OpenSSL compares the address: some releases of Node 22, 24 and 26 don't know that an IPv6 address is one. */
function checkAddress(address: string, certificate: PeerCertificate): Error | undefined {
  const isNamed = certificate.raw && new X509Certificate(certificate.raw).checkIP(address) !== undefined
  return isNamed ? undefined : tls.checkServerIdentity(address, certificate)
}

/** Waits for the event; returns an error code if something else happened first. */
function settled(socket: Socket, event: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const abort = () => resolve(TIMEOUT)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    socket
      .once(event, () => resolve(undefined))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
      .once('close', () => resolve('ECONNRESET'))
  })
}

function classifyTcpError(code: string): Unconnected['cause'] {
  if (code === TIMEOUT || code === 'ETIMEDOUT') return 'timeout'
  return REFUSALS.has(code) ? 'refused' : 'unroutable'
}

function readCertificate(socket: TLSSocket): Certificate {
  const chain = listChain(socket.getPeerCertificate(true))
  const [own = {}, ...issuers] = chain
  const isPublic = PUBLIC_POLICIES.some((policy) => own.raw?.includes(policy))
  const issuer = readName(chain.at(-1)?.issuer)
  return {
    // Typed as an Error, but actually a string with the code.
    fault: socket.authorized ? undefined : String(socket.authorizationError),
    fingerprint: own.fingerprint256 ?? '',
    names: (own.subjectaltname ?? '').split(', ').flatMap((name) => name.replace(/^\w[\w ]*:/, '') || []),
    validFromMs: parseMs(own.valid_from),
    validToMs: parseMs(own.valid_to),
    issuer,
    issuers: issuers.map((each) => ({ name: readName(each.subject), validToMs: parseMs(each.valid_to) })),
    needsIntermediate:
      isPublic || own.infoAccess?.['CA Issuers - URI'] !== undefined || INTERMEDIATE.test(issuer ?? ''),
    ...(own.raw && { keyHash: hashKey(own.raw) }),
  }
}

function hashKey(certificate: Buffer): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

function parseMs(date = ''): number | undefined {
  const ms = Date.parse(date)
  return Number.isNaN(ms) ? undefined : ms
}

/** The certificates that were sent and the known root above them, the host's own first. Partial, since Node's types promise more than there is. */
function listChain(first: DetailedPeerCertificate): readonly Partial<DetailedPeerCertificate>[] {
  const chain: Partial<DetailedPeerCertificate>[] = []
  let next: Partial<DetailedPeerCertificate> | undefined = first
  // A self-signed certificate names itself as its issuer.
  while (next?.raw !== undefined && chain.length < MOST_CERTIFICATES && next !== chain.at(-1)) {
    chain.push(next)
    next = next.issuerCertificate
  }
  return chain
}

/** The common name, or the organisation of authorities without one. There may be several. */
function readName(issuer: DetailedPeerCertificate['issuer'] | undefined): string | undefined {
  const names: unknown = issuer?.CN ?? issuer?.O
  const [name]: readonly unknown[] = Array.isArray(names) ? names : [names]
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** What every certificate of a public authority has (Baseline Requirements of the CA/Browser Forum, section 7.1.6.1), in DER: 2.23.140.1.2.x, and 2.23.140.1.1 for EV. */
const PUBLIC_POLICIES: readonly Buffer[] = ['060667810c0102', '060567810c0101'].map((der) =>
  Buffer.from(der, 'hex'),
)

const INTERMEDIATE = /\b(?:intermediate|issuing|sub(?:ordinate)?[- ]?ca)\b/i

const MOST_CERTIFICATES = 10
const TIMEOUT = 'timeout'
const REFUSALS: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])
