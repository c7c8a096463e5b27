import type { Certificate } from '../../../probe/probe.ts'
import { count, shorten } from '../../../text/prose.ts'
import type { Remedy } from '../../fix.ts'
import { accepts, findRefusals, type LiveFact, type Reach } from '../../read/live-fact.ts'
import { verificationReply } from '../../read/observations.ts'
import { escapeAndCut } from '../../read/reply.ts'
import { fail, failAsRule, inconclusive, pass, type RulesById, type Ruling, skip } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

/** Rules on the way to a point: name, address and certificate. */
export const connectionRules: RulesById = {
  'live/dns': {
    title: 'The host of the point resolves',
    why: 'A browser that finds no address for the host sends nothing at all.',
    wrong: 'https://wwww.example.com/service_cookie_transfer/, a host that has no DNS record',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'Add the DNS record, or correct the host of the point.',
    // Points with a faulty URL, duplicates, and points that the widget ignores are not asked.
    needs: { rules: ['url/invalid', 'url/prefix', 'url/duplicate', 'url/cross-site'] },
    evaluate: eachLivePoint(judgeName),
  },
  'live/connect': {
    title: 'Every address of the host accepts connections and answers',
    why: 'A browser picks one of the addresses of the host. If that address refuses the connection, or closes it without an answer, the call fails: for every visitor, or only for those who get that address.',
    wrong: 'an AAAA record left over from the old server, where nothing listens any more',
    right: 'DNS records only for addresses where your web server or proxy listens',
    fix: 'Start your web server or proxy there, open the firewall, or take the address out of DNS.',
    remedy: (advice) => advice.listen,
    needs: { rules: ['live/dns'] },
    evaluate: eachLivePoint(judgeAddresses),
  },
  'live/tls': {
    title: 'The certificate is valid for the host, and for three more weeks',
    why: 'When the certificate of a page is bad, the browser says so; a call by the widget just fails. A certificate that expires soon is only a warning.',
    wrong:
      'a certificate for shop.example.com on www.example.com, or one without its intermediate certificate',
    right: 'a certificate that names the host of the point, sent with its chain',
    fix: 'Install a certificate for the host with its full chain, and renew it automatically.',
    remedy: (advice) => advice.showCertificate,
    reference: { text: 'RFC 9525, service identity in TLS', url: 'https://www.rfc-editor.org/rfc/rfc9525' },
    needs: { rules: ['live/connect'] },
    evaluate: eachLivePoint(judgeCertificate),
  },
}

function judgeName({ point, reach: { resolution } }: LiveFact): Ruling {
  if (resolution.kind === 'resolved' && resolution.addresses.length > 0) return pass
  if (resolution.kind === 'unknown') {
    return inconclusive(
      `The resolver gave no answer for ${point.host} (${resolution.code}): try again, or give the address with --resolve ${point.host}:IP`,
    )
  }
  return fail(
    `${point.host} does not resolve`,
    `Add an A or AAAA record for ${point.host}, or correct the host; before DNS moves, check with --resolve ${point.host}:IP`,
    { host: point.host },
  )
}

function judgeAddresses(fact: LiveFact): Ruling {
  const { point, reach } = fact
  const refusals = findRefusals(reach)
  if (refusals.length > 0) {
    const addresses = refusals.map(({ address }) => address)
    const evidence = { addresses, codes: listCodes(refusals) }
    return failAsRule(`Connections are refused at ${addresses.join(', ')}`, evidence)
  }
  if (!reach.attempts.some(({ connection }) => accepts(connection))) {
    return inconclusive(
      `No connection could be made (${listCodes(reach.attempts).join(', ')}). That may not be the point's fault: check again from a network that can reach it`,
    )
  }
  const reply = verificationReply(fact)
  if (point.scheme === 'http' && reply?.kind === 'none' && ['closed', 'refused'].includes(reply.cause)) {
    return fail(
      'The connection is closed before there is an answer',
      'Look at the log of the server there: it accepts the connection and drops the request',
      { code: reply.code },
    )
  }
  return pass
}

function listCodes(attempts: Reach['attempts']): readonly string[] {
  const codes = attempts.map(({ connection }) => (connection.kind === 'open' ? 'open' : connection.code))
  return [...new Set(codes)]
}

function judgeCertificate(fact: LiveFact): Ruling {
  const { point, reach } = fact
  if (point.scheme === 'http') return skip('the point is on http')
  for (const { address, connection } of reach.attempts) {
    if (connection.kind === 'open') {
      const { certificate } = connection
      if (certificate?.fault) return failCertificate(fact, address, certificate, certificate.fault)
    } else if (connection.cause === 'tls') return failHandshake(fact, address, connection.code)
  }
  const reply = verificationReply(fact)
  if (reply?.kind === 'none' && ['closed', 'tls', 'refused'].includes(reply.cause))
    return failHandshake(fact, reach.attempts[0]?.address ?? '', reply.code)
  return judgeExpiry(fact)
}

function failCertificate(fact: LiveFact, address: string, certificate: Certificate, code: string): Ruling {
  const { observedAtMs } = fact
  const { issuer, validToMs, validFromMs, names, fingerprint } = certificate
  const isExpired = code === 'CERT_HAS_EXPIRED'
  // The code is the same, whichever certificate of the chain has expired.
  const ended = certificate.issuers.find((each) => isExpired && Number(each.validToMs) < observedAtMs)
  const [what, fix] =
    ended === undefined
      ? diagnoseCertificate(certificate, code)
      : [`relies on the certificate of an issuer that has expired${describeName(ended.name)}`, CHAIN]
  const endMs = isExpired ? (ended?.validToMs ?? validToMs) : undefined
  const evidence = {
    address,
    code,
    names: code === OTHER_NAME ? shorten(names.map(escapeAndCut)) : undefined,
    issuer: issuer && escapeAndCut(issuer),
    validFrom: code === TOO_EARLY ? formatDate(validFromMs) : undefined,
    validTo: formatDate(endMs),
  }
  // One that several hosts have is one fault.
  const topic = `${code} ${fingerprint}`
  const remedy: Remedy = (advice) => advice.showCertificate
  return { ...fail(`The certificate ${what}`, { what: fix, remedy }, evidence), topic }
}

function formatDate(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

function diagnoseCertificate({ issuer, issuers, needsIntermediate }: Certificate, code: string): Diagnosis {
  if (!UNTRUSTED.has(code)) return FAULTS.get(code) ?? [`is not valid (${code})`, INSTALL]
  return issuers.length === 0 && needsIntermediate
    ? [`comes alone: the intermediate is missing${describeName(issuer)}`, INTERMEDIATE]
    : [`is from an authority that browsers don't know${describeName(issuer)}`, OWN_AUTHORITY]
}

function describeName(name: string | undefined): string {
  return name === undefined ? '' : `, ${escapeAndCut(name)}`
}

function failHandshake({ point }: LiveFact, address: string, code: string): Ruling {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return fail(
      `${point.authority} speaks plain http on this port, not TLS`,
      `Serve TLS on ${point.authority}, or correct the port, or the scheme, of the point`,
      { sent: 'a TLS handshake', arrived: 'something that is not TLS', address },
    )
  }
  return fail(
    `${point.authority} accepts the connection, but the TLS handshake fails`,
    `Serve TLS 1.2 or newer on ${point.authority}, with a certificate, and don't ask clients for one`,
    { address, code },
  )
}

function judgeExpiry({ reach, observedAtMs }: LiveFact): Ruling {
  const ends = reach.attempts.flatMap(({ connection }) =>
    connection.kind === 'open' ? (connection.certificate?.validToMs ?? []) : [],
  )
  const endMs = Math.min(...ends)
  const days = Math.floor((endMs - observedAtMs) / DAY_MS)
  if (days >= SOON_DAYS) return pass
  const when = days < 1 ? 'within a day' : `in ${count(days, 'day')}`
  const failure = fail(`The certificate expires ${when}`, RENEW, { validTo: formatDate(endMs) })
  return { ...failure, severity: 'warning' }
}

const DAY_MS = 86_400_000
const SOON_DAYS = 21

const UNTRUSTED: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const INSTALL = 'Install a certificate for this host from an authority that browsers trust, with its chain'
const CHAIN = "Send the full chain: the host's certificate, then the current ones of its issuers"
const INTERMEDIATE = `${CHAIN}. Chrome fetches what is missing, other clients don't; if this issuer is an authority of your own, check with --ca-file FILE (PEM)`
const OWN_AUTHORITY =
  'If it is your own authority and your visitors trust it, check with --ca-file FILE (PEM); otherwise install a certificate from a public one, with its chain'
const RENEW = 'Renew it, and find out why it was not renewed automatically'

const TOO_EARLY = 'CERT_NOT_YET_VALID'
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

/** What is wrong with a certificate, and what to change. */
type Diagnosis = readonly [what: string, fix: string]

const FAULTS: ReadonlyMap<string, Diagnosis> = new Map([
  ['CERT_HAS_EXPIRED', ['has expired', RENEW]],
  [TOO_EARLY, ['is not valid yet', "Check the clock of this machine and the certificate's first day"]],
  [OTHER_NAME, ['is for another host', INSTALL]],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['is self-signed', OWN_AUTHORITY]],
])
