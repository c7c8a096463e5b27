/** Why nothing may be sent over TLS; `undefined` unless this environment has Node verify no certificate. */
export function whyUnverified(env: Readonly<Record<string, string | undefined>> = ownEnv()) {
  return env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? UNVERIFIED : undefined
}

/** The same of a service at this origin; of plain http, unless `fetch` may hand it to a proxy, as Bun's does, or look its name up in DNS. */
export function whyExposed(origin: string): string | undefined {
  if (origin.startsWith('https:')) return whyUnverified()
  const env = ownEnv()
  if (env.HTTP_PROXY || env.http_proxy || env.ALL_PROXY || env.all_proxy)
    return 'plain http goes nowhere while HTTP_PROXY is set: the proxy might get the cookies in the clear'
  const isAddress = /^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(origin)
  return isAddress
    ? undefined
    : 'plain http works with localhost and 127.0.0.1 alone, since other names may be looked up in DNS'
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
