import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { type ConfigSource, loadWith } from '../config/load.ts'
import type { Location, Problem } from '../config/problem.ts'
import { type ResolvedConfig, resolveConfig } from '../forward/resolved-config.ts'

/** A config that can be served, or why it can't. */
export type Loading = { readonly resolved: ResolvedConfig } | { readonly problems: readonly Problem[] }

/**
 * Loads a config with everything that it refers to. Reports all problems at once.
 *
 * @param nodeVersion of the Node that will serve it
 */
export async function loadResolved(source: ConfigSource, nodeVersion: string): Promise<Loading> {
  const made = await loadWith(source, (config) => resolveConfig(config, source))
  if ('problems' in made) return made
  const { resolved } = made
  const problems = [...findCertificateProblems(resolved), ...findPortProblems(resolved, nodeVersion)]
  return problems.length > 0 ? { problems } : made
}

/**
 * Loads the certificates of a config the way TLS will. Without `listen.tls` and `service.ca` there are none.
 *
 * @returns every fault; none quotes a certificate, a key or OpenSSL
 */
function findCertificateProblems({ config, tls, serviceCa }: ResolvedConfig): readonly Problem[] {
  const { listen, service } = config
  const problems: Problem[] = []
  if (service.ca !== undefined && serviceCa !== undefined && !areCertificates(serviceCa.reveal()))
    problems.push(unreadable(service.ca.location, 'certificate'))
  if (listen.tls === undefined || tls === undefined) return problems
  const { cert, key } = tls
  const faults = [
    ...(isAccepted({ cert }) ? [] : [unreadable(listen.tls.cert.location, 'certificate')]),
    ...(isAccepted({ key }) ? [] : [unreadable(listen.tls.key.location, 'private key')]),
  ]
  if (faults.length === 0 && !isAccepted({ cert, key })) {
    faults.push({
      location: listen.tls.key.location,
      message: 'the private key does not belong to the certificate',
      expected: 'the key that the certificate was issued for, and that certificate first in its file',
    })
  }
  return [...problems, ...faults]
}

/** A trust store skips what it can't parse, so each block is parsed separately. */
function areCertificates(text: string): boolean {
  const blocks = text.split(/(?=-----BEGIN CERTIFICATE-----)/).filter((block) => block.startsWith('-----'))
  try {
    for (const block of blocks) new X509Certificate(block)
    return blocks.length > 0
  } catch {
    return false
  }
}

function isAccepted(pair: { readonly cert?: string; readonly key?: string }): boolean {
  try {
    createSecureContext(pair)
    const { cert, key } = pair
    // OpenSSL compares a key only with a certificate of its type.
    return !cert || !key || new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

function unreadable(location: Location, use: 'certificate' | 'private key'): Problem {
  return {
    location,
    message: `it can't be read as a ${use}, though it looks like one`,
    expected: `a whole ${use} in PEM form${use === 'private key' ? ', without a passphrase' : ''}`,
  }
}

/** An older Node would ignore `reusePort`, and the second instance would find its port in use. */
function findPortProblems({ config: { listen } }: ResolvedConfig, nodeVersion: string): readonly Problem[] {
  if (!listen.reusePort || canReusePort(nodeVersion)) return []
  const message = `Node ${nodeVersion} can't share a port`
  return [{ location: listen.location, message, expected: 'Node 22.12, 23.1 or newer, or a port of its own' }]
}

/** Whether a release of Node knows the option `reusePort` of a listener. */
export function canReusePort(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
}
