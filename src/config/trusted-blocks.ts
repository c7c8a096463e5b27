/** The address blocks of `listen.trustedProxies`. `private` includes loopback: the network implies the machine itself. */
export function expandTrustedBlocks(trustedProxies: readonly string[]): readonly string[] {
  return [...new Set(trustedProxies.flatMap((entry) => NAMED_BLOCKS.get(entry) ?? [entry]))]
}

/** RFC 1122 section 3.2.1.3 and RFC 4291. */
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** RFC 1918 and RFC 4193. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

const NAMED_BLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', LOOPBACK],
  ['private', [...LOOPBACK, ...PRIVATE]],
])
