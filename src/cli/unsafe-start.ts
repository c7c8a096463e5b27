import { flagsOf, type NodeStart } from '../serve/own-process.ts'

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
