/** Why nothing may be sent over TLS; `undefined` unless this environment has Node verify no certificate. */
export function whyUnverified(env: Readonly<Record<string, string | undefined>> = ownEnv()) {
  // Bun understands the word too.
  const isOff =
    env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ||
    ('Bun' in globalThis && env.NODE_TLS_REJECT_UNAUTHORIZED === 'false')
  return isOff ? UNVERIFIED : undefined
}

/**
 * Why `fetch` must send nothing to this origin: its certificate is not verified; or with plain http a proxy may get the request
 * (the `fetch` of Bun and Deno obeys HTTP_PROXY, that of Node by NODE_USE_ENV_PROXY), or whoever answers in DNS.
 */
export function whyExposed(origin: string): string | undefined {
  if (origin.startsWith('https:')) return whyUnverified()
  const env = ownEnv()
  if (env.HTTP_PROXY || env.http_proxy || env.ALL_PROXY || env.all_proxy)
    return 'plain http goes nowhere while HTTP_PROXY is set: the proxy might get the cookies in the clear'
  if (/^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(origin)) return undefined
  return 'plain http works with localhost and 127.0.0.1 alone, since other names may be looked up in DNS'
}

export const UNVERIFIED = 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates'

/** Of Node and what imitates it: elsewhere there is no process, and Deno may not let us read it. */
function ownEnv() {
  try {
    return globalThis.process?.env ?? {}
  } catch {
    return {}
  }
}
