/** Why nothing may be sent over TLS; `undefined` unless this environment has Node verify no certificate. */
export function whyUnverified(env: Readonly<Record<string, string | undefined>> = ownEnv()) {
  return env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? UNVERIFIED : undefined
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
