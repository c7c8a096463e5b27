/** The directive of one content security policy that keeps a page from fetching URLs, and those URLs. */
export function findBlocked(policy: string, page: URL, urls: readonly URL[]) {
  const directives = new Map<string, readonly string[]>()
  for (const text of policy.split(';')) {
    const [name = '', ...sources] = text.trim().split(/\s+/)
    // Content Security Policy 3, section 2.2.1: of two directives with the same name the first counts.
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  const name = ['connect-src', 'default-src'].find((each) => directives.has(each))
  const sources = directives.get(name ?? '') ?? []
  const matchers = [...new Set(sources)].map((source) => openMatcher(source, page))
  const isBlocked = (url: URL) => name !== undefined && !matchers.some((matches) => matches(url))
  return { directive: [name, ...sources].join(' '), blocked: urls.filter(isBlocked) }
}

/** Content Security Policy 3, section 6.7.2.8: whether an http or https URL matches a source expression. */
function openMatcher(source: string, page: URL): (url: URL) => boolean {
  if (source === '*') return () => true
  if (/^'self'$/i.test(source))
    return (url) => url.host === page.host && isUpgrade(page.protocol, url.protocol)
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return (url) => isUpgrade(source.toLowerCase(), url.protocol)
  const parts =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[\w.-]+|\[[\da-f:]+\])(?::(\d+|\*))?(\/[^?#]*)?$/i.exec(source)
  if (parts === null) return () => false
  const [, scheme, host = '', port, path] = parts
  const wanted = scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`
  return (url) =>
    isUpgrade(wanted, url.protocol) &&
    hostMatches(host.toLowerCase(), url.hostname) &&
    portMatches(port, wanted, url) &&
    pathMatches(path, url.pathname)
}

/** A source with http also allows https, not the other way round. */
function isUpgrade(named: string, asked: string): boolean {
  return named === asked || (named === 'http:' && asked === 'https:')
}

function hostMatches(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host
}

function portMatches(port: string | undefined, scheme: string, url: URL): boolean {
  if (port === '*') return true
  const asked = url.port === '' ? DEFAULT_PORTS.get(url.protocol) : url.port
  if (port === undefined) return asked === DEFAULT_PORTS.get(scheme) || url.port === ''
  return port === asked || (port === '80' && asked === '443')
}

function pathMatches(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined || pattern === '/') return true
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http:', '80'],
  ['https:', '443'],
])
