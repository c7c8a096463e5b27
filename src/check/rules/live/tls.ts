import { type LiveFact, verificationReply } from '../../read/live-fact.ts'
import { fail, pass, type Rule, type Ruling, skip } from '../../rule.ts'
import { onLivePoints } from './on-live-points.ts'

export const tls: Rule = {
  id: 'live/tls',
  severity: 'error',
  title: 'The certificate is valid for the host, and for three weeks more',
  why: 'A page shows a visitor when its certificate is bad; a call of the widget just fails. Certificates that expire soon are a warning while there is time to act.',
  wrong: 'a certificate for shop.example.com on www.example.com, or one without its intermediate certificate',
  right: 'a certificate that names the host of the point, sent with its chain',
  fix: 'Install a certificate for the host with its full chain, and renew it automatically.',
  reference: { text: 'RFC 9525, service identity in TLS', url: 'https://www.rfc-editor.org/rfc/rfc9525' },
  needs: { rules: ['live/connect'] },
  phase: 'judge',
  evaluate: onLivePoints(judge),
}

function judge(fact: LiveFact): Ruling {
  const { point, reach } = fact
  if (point.scheme === 'http') return skip('the point is on http')
  for (const { address, connection } of reach.attempts) {
    const code = connection.kind === 'open' ? connection.certificate?.fault : undefined
    if (code !== undefined) return failCertificate(fact, address, code)
    if (connection.kind === 'unconnected' && connection.cause === 'tls') {
      return failHandshake(fact, address, connection.code)
    }
  }
  const reply = verificationReply(fact)
  if (reply?.kind === 'none' && ['closed', 'tls', 'refused'].includes(reply.cause)) {
    return failHandshake(fact, reach.attempts[0]?.address ?? '', reply.code)
  }
  return judgeExpiry(fact) ?? pass
}

function failCertificate({ point }: LiveFact, address: string, code: string): Ruling {
  const { what, fix } = FAULTS[code] ?? { what: `is not valid (${code})`, fix: undefined }
  return fail(
    `The certificate of ${point.host} ${what}`,
    fix ?? `Install a certificate for ${point.host} from an authority that browsers trust, with its chain`,
    { address, code },
  )
}

function failHandshake({ point }: LiveFact, address: string, code: string): Ruling {
  return fail(
    `${point.authority} accepts the connection, but TLS fails on it`,
    `Serve TLS 1.2 or newer on ${point.authority}, with a certificate and without asking for one`,
    { address, code },
  )
}

function judgeExpiry({ point, reach, observedAtMs }: LiveFact): Ruling | undefined {
  const ends = reach.attempts.flatMap(({ connection }) =>
    connection.kind === 'open' && connection.certificate?.validToMs !== undefined
      ? [connection.certificate.validToMs]
      : [],
  )
  const endMs = Math.min(...ends)
  const days = Math.floor((endMs - observedAtMs) / DAY_MS)
  if (days >= SOON_DAYS) return undefined
  return {
    outcome: 'fail',
    severity: 'warning',
    message: `The certificate of ${point.host} expires in ${days} ${days === 1 ? 'day' : 'days'}`,
    fix: 'Renew it, and see why it was not renewed by itself',
    evidence: { validTo: new Date(endMs).toISOString() },
  }
}

const DAY_MS = 86_400_000
const SOON_DAYS = 21

const CHAIN = {
  what: 'comes without the intermediate certificate that leads to a trusted authority',
  fix: 'Send the full chain (nginx: ssl_certificate with fullchain.pem); for an authority of your own, name it with --ca-file',
}
const OWN_AUTHORITY = {
  what: 'is from an authority that nobody knows',
  fix: 'Install one from an authority that browsers trust; for an authority of your own, name it with --ca-file',
}

const FAULTS: Readonly<Record<string, { readonly what: string; readonly fix: string | undefined }>> = {
  CERT_HAS_EXPIRED: { what: 'has expired', fix: 'Renew it, and see why it was not renewed by itself' },
  CERT_NOT_YET_VALID: { what: 'is not valid yet', fix: undefined },
  ERR_TLS_CERT_ALTNAME_INVALID: { what: 'is for another host', fix: undefined },
  DEPTH_ZERO_SELF_SIGNED_CERT: { ...OWN_AUTHORITY, what: 'is signed by itself' },
  SELF_SIGNED_CERT_IN_CHAIN: OWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CHAIN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CHAIN,
}
