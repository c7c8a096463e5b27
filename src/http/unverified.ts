/** Why nothing may be sent over TLS; `undefined` unless this environment has Node verify no certificate. */
export function whyUnverified(env: Readonly<Record<string, string | undefined>> = ownEnv()) {
  return env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? UNVERIFIED : undefined
}

/** The same of a service at this origin; of plain http, unless Node's `fetch` would hand it to a proxy, or look its name up in DNS. */
export function whyExposed(origin: string): string | undefined {
  if (origin.startsWith('https:')) return whyUnverified()
  const { NODE_USE_ENV_PROXY = '0', NODE_OPTIONS = '' } = ownEnv()
  const isProxied = NODE_USE_ENV_PROXY !== '0' || NODE_OPTIONS.includes('--use-env-proxy')
  if (isProxied) return 'with NODE_USE_ENV_PROXY a proxy would get the cookies in the clear'
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
