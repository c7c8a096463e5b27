import { flagsOf, type NodeStart } from '../serve/own-process.ts'

/** Why this process must not handle cookies: Node itself was told to skip TLS verification, or to parse HTTP loosely. */
export function unsafeStartReason({ env, nodeFlags }: NodeStart): string | undefined {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates: unset it, and name a private authority in service.ca'
  }
  if (flagsOf({ env, nodeFlags }).some((flag) => /^--insecure[-_]http[-_]parser(?:=|$)/.test(flag))) {
    return '--insecure-http-parser lets malformed requests through: start Node without it, and look for it in NODE_OPTIONS'
  }
  return undefined
}
