/** How Node was started. */
export interface NodeStart {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Node's own flags from the command line; those in NODE_OPTIONS are in `env`. */
  readonly nodeFlags: readonly string[]
}

/**
 * Why this process must not handle cookies: a setting of Node itself that disables TLS verification or loosens the HTTP
 * parser. `undefined` if there is none.
 */
export function unsafeStartReason({ env, nodeFlags }: NodeStart): string | undefined {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates: unset it, and name a private authority in service.ca'
  }
  if (flagsOf({ env, nodeFlags }).some((flag) => /^--insecure[-_]http[-_]parser(?:=|$)/.test(flag))) {
    return '--insecure-http-parser lets malformed requests through: start Node without it, and look for it in NODE_OPTIONS'
  }
  return undefined
}

/** All flags of Node; if some contradict each other, the last one counts. */
export function flagsOf({ env, nodeFlags }: NodeStart): readonly string[] {
  return [...(env.NODE_OPTIONS ?? '').split(/[\s"]+/), ...nodeFlags]
}
